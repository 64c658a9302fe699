module toy/server
open toy/core
open toy/types/server
open toy/types/store

/** TOY010 disk-too-small: A server fits on its disk.
 *
 *  A server that is larger than its disk stops when the disk is full.
 *
 *  @message {s} has the size {s.prop_size}, and its disk {d} has {d.prop_size}
 *  @at s.prop_size
 *  @also d.prop_size the size of {d}
 *  @help make the server as small as its disk
 *  @when always
 */
fact a_server_fits_on_its_disk {
  all s: server, d: s.prop_disk & store |
    (some s.(server <: prop_size) and some d.(store <: prop_size))
      implies s.(server <: prop_size) <= d.(store <: prop_size)
}
