module hot/OS_Nova_Flavor
open hot/core
open hot/types/OS_Nova_Flavor

/** HOT320 duplicate-flavor-id: Flavors have distinct ids.
 *
 *  Nova refuses the second one. With `auto`, or without `flavorid`, it makes an id up.
 *
 *  @message {f} and {g} have the same `flavorid` {f.prop_flavorid}
 *  @at g.prop_flavorid
 *  @also f.prop_flavorid {f} has it already
 *  @help leave it out: Nova makes one up
 *  @when always
 *  @openstack deployment error
 *  @report unique_flavor_id
 */
fact unique_flavor_id {
  all disj f, g: OS_Nova_Flavor |
    (some f.prop_flavorid and f.prop_flavorid != "auto") implies f.prop_flavorid != g.prop_flavorid
}

/** HOT321 duplicate-flavor-name: Flavors have distinct names.
 *
 *  Nova refuses a flavor with a name that another one has. Without `name`, Heat makes one up.
 *
 *  @message {f} and {g} have the same name {f.prop_name}
 *  @at g.prop_name
 *  @also f.prop_name {f} has it already
 *  @help choose another name, or leave it out: Heat makes one up
 *  @when always
 *  @openstack deployment error
 */
fact unique_flavor_name {
  all disj f, g: OS_Nova_Flavor | some f.prop_name implies f.prop_name != g.prop_name
}

/** HOT322 tenants-of-public-flavor: A flavor that is for some projects only is not public.
 *
 *  A flavor is public unless `is_public` is false, and Heat then does not look at `tenants`: every project can use it.
 *
 *  @severity warning
 *  @message {f} names projects, but it is public, so all projects can use it
 *  @at f.prop_tenants
 *  @help add `is_public: false`
 *  @when end
 *  @openstack nothing: `tenants` is not looked at
 */
fact tenants_need_a_private_flavor {
  all f: OS_Nova_Flavor | some f.prop_tenants implies f.prop_is_public != true
}
