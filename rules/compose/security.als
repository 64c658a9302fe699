module compose/security
open compose/core

/** CMP200 privileged: A container has no more rights than it needs.
 *
 *  A privileged container can do on the host what root can.
 *
 *  @severity warning
 *  @message {s} is privileged, which gives it all rights on the host
 *  @at f.about
 *  @help give it the capabilities that it needs with `cap_add`
 *  @when end
 *  @openstack nothing is said
 */
fact containers_are_not_privileged { all s: Service, f: s.flags | f.problem != "privileged" }

/** CMP201 docker-socket: The socket of Docker is not handed to a container.
 *
 *  Whoever can talk to Docker can start a container with all rights on the host. Mounting the socket read-only does not help.
 *
 *  @severity warning
 *  @message {s} can do everything that Docker can, because it has the socket of Docker
 *  @at m.source.path
 *  @help put a proxy before the socket that lets only through what is needed
 *  @when end
 *  @openstack nothing is said
 */
fact the_docker_socket_is_not_mounted {
  all s: Service, m: s.volumes | no m.source.path & ("/var/run/docker.sock" + "/run/docker.sock")
}

/** CMP202 host-network: A service has a network of its own.
 *
 *  With the network of the host it can reach everything that listens on the host, and takes ports of the host.
 *
 *  @severity note
 *  @message {s} has the network of the host
 *  @at s.network_mode
 *  @help publish the ports that it needs instead
 *  @when end
 *  @openstack nothing is said
 */
fact networks_of_the_host_are_not_used { all s: Service | s.network_mode != "host" }

/** CMP203 plain-secret: Passwords and keys are not written in the file.
 *
 *  Whoever can read the file, or `docker inspect`, can read them.
 *
 *  @severity note
 *  @message {s} has {f.about} in plain text
 *  @at f.about
 *  @help use `secrets`, or a variable that is not in the repository
 *  @when end
 *  @openstack nothing is said
 */
fact secrets_are_not_in_the_file { all s: Service, f: s.flags | f.problem != "secret" }

/** CMP204 image-without-tag: An image has a tag or a digest.
 *
 *  Without one, or with `latest`, what is run changes with time.
 *
 *  @severity note
 *  @message {s} runs whatever {f.about} is at the time
 *  @at f.about
 *  @help name a version
 *  @when end
 *  @openstack nothing is said
 */
fact images_have_a_tag { all s: Service, f: s.flags | f.problem != "tag" }
