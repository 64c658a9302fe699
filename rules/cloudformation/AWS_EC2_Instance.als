module cloudformation/AWS_EC2_Instance
open cloudformation/core
open cloudformation/networks
open cloudformation/types/AWS_EC2_Instance
open cloudformation/types/AWS_EC2_Subnet
open cloudformation/types/AWS_EC2_NetworkInterface
open util/net as net

/** From an instance or an interface to the address that it asks for. */
fun asked: Resource->String {
  AWS_EC2_Instance <: prop_PrivateIpAddress + AWS_EC2_NetworkInterface <: prop_PrivateIpAddress
}

/** From an instance or an interface to its subnet. */
fun subnet: Resource->Location { AWS_EC2_Instance <: prop_SubnetId + AWS_EC2_NetworkInterface <: prop_SubnetId }

/** CFN330 address-outside-subnet: An address that an instance asks for is in the range of its subnet.
 *
 *  EC2 refuses the instance, or the interface, while the stack is built.
 *
 *  @message {r} asks for the address {r.prop_PrivateIpAddress}, which is not in the range of {s}
 *  @at r.prop_PrivateIpAddress
 *  @also s.prop_CidrBlock the range of {s}
 *  @help choose an address of the range
 *  @when always
 *  @openstack InvalidParameterValue: Address does not fall within the subnet's address range
 */
fact an_address_is_in_its_subnet {
  all r: Resource, s: AWS_EC2_Subnet |
    (r.subnet = s and some r.asked and some (AWS_EC2_Subnet <: prop_CidrBlock)[s])
      implies r.asked in (AWS_EC2_Subnet <: prop_CidrBlock)[s].(net/contains)
}

/** CFN331 address-twice: No two instances ask for one address in a subnet.
 *
 *  EC2 refuses the second of them.
 *
 *  @message {a} and {b} ask for the address {b.prop_PrivateIpAddress} of one subnet
 *  @at b.prop_PrivateIpAddress
 *  @also a.prop_PrivateIpAddress {a} asks for it
 *  @help choose another address
 *  @when always
 *  @openstack InvalidIPAddress.InUse: Address is in use
 */
fact an_address_is_asked_for_once {
  all disj a, b: Resource | (some a.asked and a.asked = b.asked and some a.subnet) implies a.subnet != b.subnet
}

/** CFN332 address-reserved: An address that an instance asks for is none that EC2 keeps.
 *
 *  The first four addresses of a subnet and the last are kept for the network, the router, the name server and
 *  later use. This rule knows the first two and the last.
 *
 *  @message {r} asks for the address {r.prop_PrivateIpAddress}, which EC2 keeps
 *  @at r.prop_PrivateIpAddress
 *  @also s.prop_CidrBlock the range of {s}
 *  @help choose an address from the fifth on
 *  @when always
 *  @openstack InvalidParameterValue: Address is in subnet's reserved address range
 */
fact an_address_is_not_reserved {
  all r: Resource, s: AWS_EC2_Subnet | r.subnet = s implies
    no r.asked & (AWS_EC2_Subnet <: prop_CidrBlock)[s].(net/first + net/second + net/last)
}
