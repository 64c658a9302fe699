module compose/files
open compose/core

/** CMP140 bind-source-missing: The path of a bind mount is there.
 *
 *  In the short form Docker makes a folder where nothing is, owned by root, even where a file was meant. In the long form, without
 *  `create_host_path`, it refuses. A folder that looks like one for data (`./data`, `./volumes/db`, or mounted at `/var/lib/…`) is one that Docker may well
 *  make.
 *
 *  @severity warning
 *  @message {s} mounts {m.source.path}, which is not there
 *  @at m.source.path
 *  @also s.name mounted by {s}
 *  @help create it, or correct the path
 *  @when end
 *  @openstack a folder is made that belongs to root
 */
fact bind_sources_are_there {
  all s: Service, m: s.volumes | some m.created and no m.data implies m.source.found != false
}

/** CMP141 bind-source-refused: The path of a bind mount that Docker does not create is there.
 *
 *  @message {s} mounts {m.source.path}, which is not there, and Docker is not to create it
 *  @at m.source.path
 *  @help create it, or correct the path
 *  @when always
 *  @openstack the container is not created: "bind source path does not exist"
 */
fact bind_sources_are_there_or_created {
  all s: Service, m: s.volumes | no m.created implies m.source.found != false
}

/** CMP142 file-missing: The file of a secret or a config that a service uses is there.
 *
 *  @message {s} uses {o}, whose file {o.file.path} is not there
 *  @at o.file.path
 *  @help create it, or correct the path
 *  @when always
 *  @openstack the container is not created: "bind source path does not exist"
 */
fact files_of_secrets_are_there {
  all s: Service, o: s.secrets.secret + s.configs.config | o.file.found != false
}

/** CMP143 build-context-missing: The context of a build is there, and a Dockerfile in it.
 *
 *  A service that has an image as well may be started from that; CMP145 is about it.
 *
 *  @message {s} is built from {f.path}, which is not there
 *  @at f.path
 *  @help create it, or correct the path
 *  @when always
 *  @openstack the build fails
 */
fact build_contexts_are_there {
  all s: Service, f: s.build.(context + dockerfile) | some s.image or f.found != false
}

/** CMP145 build-context-missing-beside-image: The context of a build is there also where the service has an image.
 *
 *  Docker builds only if it cannot get the image, so the mistake shows later, or to others.
 *
 *  @severity warning
 *  @message {s} is built from {f.path}, which is not there, unless its image can be pulled
 *  @at f.path
 *  @help create it, correct the path, or remove `build`
 *  @when end
 *  @openstack the build fails if the image cannot be pulled
 */
fact build_contexts_beside_images_are_there {
  all s: Service, f: s.build.(context + dockerfile) | no s.image or f.found != false
}

/** CMP144 volume-not-used: A volume at the top is used.
 *
 *  The report asks for at least one role that a volume provides.
 *
 *  @severity note
 *  @message the volume {v} is used by no service
 *  @at v.name
 *  @help remove it, or use it
 *  @when end
 *  @openstack ignored
 *  @report some_provided
 */
fact volumes_are_used {
  no Inactive implies all v: Volume | some volume.v
}
