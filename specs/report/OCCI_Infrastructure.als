/**
 * The infrastructure part of OCCI: section 4.2 of INRIA report RR-9317. Machines, networks and storage, and the links
 * from machines to the other two. OCCI has no link from storage to a network.
 */
module OCCI_Infrastructure
open OCCI_Core

sig Compute, Network, Storage extends Resource {}

sig IPNetwork in Network {}

sig NetworkInterface extends Link {} {
  source in Compute
  target in Network
}

sig IPNetworkInterface in NetworkInterface {}

sig StorageLink extends Link {} {
  source in Compute
  target in Storage
}

/** There are such configurations. */
run Model {} expect 1

run OneConfigurationWithTwoComputeOneNetworkOneStorage {
  Resource in Configuration.resources
} for 25 but exactly 1 Configuration, exactly 2 Compute, exactly 2 Storage, exactly 2 StorageLink,
  exactly 1 Network, exactly 2 NetworkInterface expect 1
