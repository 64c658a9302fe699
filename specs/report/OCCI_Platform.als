/**
 * The platform part of OCCI: section 4.3 of INRIA report RR-9317. Applications are made of components, which may be
 * made of components.
 */
module OCCI_Platform
open OCCI_Core

sig Application, Component extends Resource {}

sig ComponentLink extends Link {} {
  source in Application + Component
  target in Component
}

/** There are such configurations. */
run Model {} expect 1

run OneConfigurationWithOneApplicationTwoComponent {
  Resource in Configuration.resources
  ComponentLink in Application.links
} for 20 but exactly 1 Configuration, exactly 1 Application, exactly 2 Component, exactly 2 ComponentLink expect 1
