module compose/dependencies
open compose/core

/** CMP120 healthy-without-healthcheck: A service that others wait for until it is healthy has a health check.
 *
 *  Compose stops if the container has no health check. The file gives none; whether the image has one is not known here.
 *
 *  @severity warning
 *  @message {s} waits until {t} is healthy, and the file gives {t} no health check
 *  @at d.condition
 *  @also t.name {t}
 *  @help give it a `healthcheck`, unless its image has one
 *  @when end
 *  @openstack "container has no healthcheck configured", unless the image has one
 */
fact healthy_services_have_a_healthcheck {
  all s: Service, d: s.depends_on, t: d.on & Service |
    d.condition = "service_healthy" implies some t.healthcheck
}

/** CMP121 healthy-with-disabled-healthcheck: Nobody waits for the health of a service whose health check is disabled.
 *
 *  @message {s} waits until {t} is healthy, and the health check of {t} is disabled
 *  @at d.condition
 *  @also t.healthcheck.disabled disabled here
 *  @help enable the health check, or wait for `service_started`
 *  @when always
 *  @openstack "container has no healthcheck configured"
 */
fact healthy_services_do_not_disable_it {
  all s: Service, d: s.depends_on, t: d.on & Service |
    d.condition = "service_healthy" implies no t.healthcheck.disabled
}

/** CMP122 completed-but-restarted: A service that others wait for until it is done is not started again when it ends.
 *
 *  With `restart: always` or `unless-stopped` Docker starts the container again when it is done, so the others may wait for ever.
 *
 *  @severity warning
 *  @message {s} waits until {t} is done, and {t} is started again when it ends
 *  @at d.condition
 *  @also t.restart started again
 *  @help give it `restart: on-failure` or none
 *  @when end
 *  @openstack `docker compose up` may hang
 */
fact completed_services_end {
  all s: Service, d: s.depends_on, t: d.on & Service |
    d.condition = "service_completed_successfully" implies no t.restart & ("always" + "unless-stopped")
}

/** CMP123 profile-without-dependency: What a service needs is there in all its profiles.
 *
 *  With the profile active, and none of those that the other service has, Compose refuses the project.
 *
 *  @severity warning
 *  @message in the profile {p}, {s} is started without {t}, which it needs
 *  @at d.condition
 *  @also t.profiles the profiles of {t}
 *  @help give {t} the profile too, or write `required: false`
 *  @when end
 *  @openstack "depends on undefined service" when only that profile is active
 */
fact dependencies_are_in_all_profiles {
  all s: AnyService, d: s.depends_on & required.true, t: d.on, p: s.profiles |
    some t.profiles implies p in t.profiles
}

/** CMP124 restart-policy: A restart policy is one that Docker knows.
 *
 *  The policies are `no`, `always`, `unless-stopped` and `on-failure`, the last also with a number of attempts.
 *
 *  @message {s} has the restart policy {s.restart}, which Docker does not know
 *  @at s.restart
 *  @help write `no`, `always`, `unless-stopped` or `on-failure`
 *  @when always
 *  @openstack the container is not created: "invalid restart policy"
 *  @report restart_in_the_four_policies
 */
fact restart_policies_are_known {
  all s: Service, f: s.flags | f.problem != "restart"
}

/** CMP126 time-of-healthcheck: The times of a health check are at least a millisecond, and its retries not negative.
 *
 *  Zero stands for the default.
 *
 *  @message the health check of {s} has {f.about}, which is too small
 *  @at f.about
 *  @help write a time of at least `1ms`, and a number of retries that is not negative
 *  @when always
 *  @openstack the container is not created: "cannot be less than 1ms"
 *  @report value_is_not_negative
 */
fact times_of_healthchecks_are_not_negative {
  all s: Service, f: s.flags | f.problem != "time"
}
