module compose/builds
open compose/core
open util/text as text

/** CMP270 build-target: The stage that a build asks for is in the Dockerfile.
 *
 *  @message {s} is built up to the stage {b.target}, which its Dockerfile does not have
 *  @at b.target
 *  @help correct the name, or name the stage in the Dockerfile with `FROM … AS …`
 *  @when always
 *  @openstack the build fails: "target stage could not be found"
 */
fact targets_are_stages {
  all s: Service - image.String, b: s.build | has_target[b]
}

private pred has_target [b: Build] { some b.target and some b.stages implies some b.stages & wanted.true }

/** The services that are built for sure. What has an image may be pulled; CMP278 and CMP279 are about it. */
private fun built_for_sure: set Service { Service - image.String }

/** The instructions of the stages that are built. */
private fun built_steps [b: Build]: set Step { b.lines & stage.((b.stages & wanted.true).*needs) }

/** CMP271 copy-missing: What a Dockerfile copies is in the build context.
 *
 *  Paths are those of the context, and nothing outside of it can be copied. Stages that are not built do not matter, nor do paths
 *  with variables.
 *
 *  @message the build of {s} copies {x.missing}, which is not in its context
 *  @at x.missing
 *  @also s.build.context the context
 *  @help create it, correct the path, or choose another context
 *  @when always
 *  @openstack the build fails: "not found"
 */
fact copied_files_are_there {
  all s: built_for_sure, x: built_steps[s.build] | no x.missing
}

/** CMP272 copy-ignored: What a Dockerfile copies is not left out of the build context.
 *
 *  @message the build of {s} copies {x.ignored}, which `.dockerignore` leaves out
 *  @at x.ignored
 *  @help remove it from `.dockerignore`, or add a line with `!` and the path
 *  @when always
 *  @openstack the build fails: "not found"
 */
fact copied_files_are_not_ignored {
  all s: built_for_sure, x: built_steps[s.build] | no x.ignored
}

/** CMP273 base-blank: A stage begins with an image.
 *
 *  @message a stage of the Dockerfile of {s} begins with a variable that has no value
 *  @at x.blank
 *  @help give the variable a default, `ARG NAME=value` before the first `FROM`, or a value with `args`
 *  @when always
 *  @openstack the build fails: "base name should not be blank"
 */
fact stages_begin_with_an_image {
  all s: built_for_sure, x: s.build.stages | no x.blank
}

/** CMP274 unknown-instruction: An instruction of a Dockerfile is one that Docker knows.
 *
 *  @message the Dockerfile of {s} has the instruction {x.word}, which Docker does not know
 *  @at x.word
 *  @help correct it
 *  @when always
 *  @openstack the build fails: "unknown instruction"
 */
fact instructions_are_known { all s: built_for_sure, x: s.build.lines | x.word in instructions }

private fun instructions: set String {
  "ADD" + "ARG" + "CMD" + "COPY" + "ENTRYPOINT" + "ENV" + "EXPOSE" + "FROM" + "HEALTHCHECK" + "LABEL" + "MAINTAINER" + "ONBUILD"
    + "RUN" + "SHELL" + "STOPSIGNAL" + "USER" + "VOLUME" + "WORKDIR"
}

/** CMP275 instruction-before-from: A Dockerfile begins with `FROM`.
 *
 *  Only `ARG` may stand before it.
 *
 *  @message the Dockerfile of {s} has {x.word} before the first `FROM`
 *  @at x.word
 *  @help begin with `FROM`
 *  @when always
 *  @openstack the build fails: "no build stage in current context"
 */
fact dockerfiles_begin_with_from {
  all s: built_for_sure, x: s.build.lines | no x.stage implies x.word = "ARG" or x.word not in instructions
}

/** CMP276 copy-from-later-stage: A stage that is copied from by its number comes before.
 *
 *  @message the build of {s} copies from the stage {x.from}, which does not come before
 *  @at x.from
 *  @help correct the number, or name the stage
 *  @when always
 *  @openstack the build fails: "invalid stage index"
 */
fact stages_are_copied_from_later_ones {
  all s: built_for_sure, x: s.build.lines | no x.from
}

/** CMP277 base-malformed: The image that a stage begins with is one that Docker can read.
 *
 *  @message a stage of the Dockerfile of {s} begins with {x.base}, which Docker cannot read
 *  @at x.base
 *  @help write `[REGISTRY/]NAME[:TAG][@DIGEST]`, the name in small letters
 *  @when always
 *  @openstack the build fails: "invalid reference format"
 */
fact bases_are_read {
  all s: built_for_sure, x: s.build.stages & (s.build.stages & wanted.true).*needs |
    no x.base or x.base in image_reference.(text/matches)
}

/** CMP278 build-fails-beside-image: What a service is built from is right also where it has an image.
 *
 *  Compose builds only if it cannot get the image, so the mistake shows later, or to others.
 *
 *  @severity warning
 *  @message the build of {s} fails at {x}, unless its image can be pulled
 *  @at x.word
 *  @help correct it: see CMP271, CMP272 and CMP274 to CMP276
 *  @when end
 *  @openstack the build fails if the image cannot be pulled
 */
fact builds_beside_images_are_right {
  all s: Service & image.String, x: s.build.lines |
    x.word in instructions and no x.from and (some x.stage or x.word = "ARG")
      and (x in built_steps[s.build] implies no x.missing and no x.ignored)
}

/** CMP279 target-beside-image: The stage that a build asks for is there also where the service has an image.
 *
 *  @severity warning
 *  @message {s} is built up to the stage {b.target}, which its Dockerfile does not have, unless its image can be pulled
 *  @at b.target
 *  @help correct the name, or name the stage in the Dockerfile with `FROM … AS …`
 *  @when end
 *  @openstack the build fails if the image cannot be pulled
 */
fact targets_beside_images_are_stages {
  all s: Service & image.String, b: s.build | has_target[b]
}

/** CMP280 rebuild-without-build: A service that is built anew when files change has a `build`.
 *
 *  @message {s} is to be built anew, and has no `build`
 *  @at x.value
 *  @help add `build`, or write another action
 *  @when always
 *  @openstack `docker compose watch` stops: "can't watch service without a build context"
 */
fact what_is_rebuilt_is_built {
  all s: Service, x: s.settings & key."develop.watch.action" | x.value = "rebuild" implies some s.built
}
