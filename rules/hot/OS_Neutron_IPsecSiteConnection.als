module hot/OS_Neutron_IPsecSiteConnection
open hot/core
open hot/types/OS_Neutron_IPsecSiteConnection

/** HOT216 peer-declared-dead-too-early: A peer has more time to answer than passes between questions.
 *
 *  Dead peer detection asks every `interval` seconds and gives up after `timeout` seconds. Neutron refuses a `timeout`
 *  that is not greater than the `interval`.
 *
 *  @message {c} asks its peer every {d.interval} s and gives up after {d.timeout} s
 *  @at d.timeout
 *  @also d.interval the interval
 *  @help make `timeout` greater than `interval`
 *  @when always
 *  @openstack deployment error
 */
fact dpd_timeout_greater_than_interval {
  all c: OS_Neutron_IPsecSiteConnection, d: c.prop_dpd | (some d.timeout and some d.interval)
    implies d.timeout > d.interval
}
