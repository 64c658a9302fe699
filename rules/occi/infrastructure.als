module occi/infrastructure
open occi/core

-- Machines, networks and storage (section 4.2 of the report, GFD.224), and applications made of components (section
-- 4.3, GFD.227).

/** It is there, and its kind is known. */
private pred known_end [r: set Resource] { some r.kind and r.kind.known = true }

/** The value of an attribute of an entity. */
private fun value_of [e: Entity, k: String]: set String { (e.given & key.k).value }

/** OCC140 interface-between-others: A network interface leads from a machine to a network.
 *
 *  @message {l} is a network interface, and leads from {l.source} to {l.target}
 *  @at l
 *  @also l.target
 *  @help let it begin at a `compute` and end at a `network`
 *  @when end
 *  @report NetworkInterface
 */
fact interfaces_connect_machines_to_networks {
  all l: Link | is_a[l, "http://schemas.ogf.org/occi/infrastructure#networkinterface"] implies {
    known_end[l.source] implies is_a[l.source, "http://schemas.ogf.org/occi/infrastructure#compute"]
    known_end[l.target] implies is_a[l.target, "http://schemas.ogf.org/occi/infrastructure#network"]
  }
}

/** OCC141 storagelink-between-others: A storage link leads from a machine to storage.
 *
 *  @message {l} is a storage link, and leads from {l.source} to {l.target}
 *  @at l
 *  @also l.target
 *  @help let it begin at a `compute` and end at a `storage`
 *  @when end
 *  @report StorageLink
 */
fact storage_links_connect_machines_to_storage {
  all l: Link | is_a[l, "http://schemas.ogf.org/occi/infrastructure#storagelink"] implies {
    known_end[l.source] implies is_a[l.source, "http://schemas.ogf.org/occi/infrastructure#compute"]
    known_end[l.target] implies is_a[l.target, "http://schemas.ogf.org/occi/infrastructure#storage"]
  }
}

/** OCC142 componentlink-between-others: A component link leads from an application or a component to a component.
 *
 *  @message {l} is a component link, and leads from {l.source} to {l.target}
 *  @at l
 *  @also l.target
 *  @help let it end at a `component`
 *  @when end
 *  @report ComponentLink
 */
fact component_links_lead_to_components {
  all l: Link | is_a[l, "http://schemas.ogf.org/occi/platform#componentlink"] implies {
    known_end[l.source] implies
      is_a[l.source, "http://schemas.ogf.org/occi/platform#application"] or
      is_a[l.source, "http://schemas.ogf.org/occi/platform#component"]
    known_end[l.target] implies is_a[l.target, "http://schemas.ogf.org/occi/platform#component"]
  }
}

/** OCC143 interface-address-twice: The interfaces of one network have different addresses.
 *
 *  @message {l} and {m} have the same address {a} in {n}
 *  @at m
 *  @also l the other interface
 *  @help give one of them another address
 *  @when end
 */
fact addresses_are_there_once {
  all n: Resource, disj l, m: target.n, a: value_of[l, "occi.networkinterface.address"] |
    a not in value_of[m, "occi.networkinterface.address"]
}

/** OCC144 hardware-address-twice: Network interfaces have different hardware addresses.
 *
 *  @severity warning
 *  @message {l} and {m} have the same hardware address {a}
 *  @at m
 *  @also l the other interface
 *  @help give one of them another address
 *  @when end
 */
fact hardware_addresses_are_there_once {
  all disj l, m: Link, a: value_of[l, "occi.networkinterface.mac"] |
    a not in value_of[m, "occi.networkinterface.mac"]
}

/** OCC145 start-of-active: An action leads out of the state that an entity is in.
 *
 *  What is active cannot be started, and what is inactive cannot be stopped: the provider refuses it.
 *
 *  @message {e} is {s}, and offers the action {o.offer_term}
 *  @at o.offer
 *  @also e
 *  @help remove the action, or correct the state
 *  @when end
 */
fact actions_lead_out_of_the_state {
  all e: Entity, o: e.offered, s: value_of[e, "occi.compute.state"] + value_of[e, "occi.network.state"] +
      value_of[e, "occi.storage.state"] + value_of[e, "occi.app.state"] + value_of[e, "occi.component.state"] | {
    s = "active" implies o.offer_term not in "start" + "up"
    s = "inactive" implies o.offer_term not in "stop" + "down" + "restart" + "suspend"
    s = "suspended" implies o.offer_term != "suspend"
    s = "online" implies o.offer_term != "online"
    s = "offline" implies o.offer_term != "offline"
  }
}
