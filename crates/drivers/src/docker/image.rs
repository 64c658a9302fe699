//! Images: whether they are there, pulling and building them.

use std::collections::HashMap;
use std::path::Path;

use bollard::models::ImageInspect;
use bollard::query_parameters::{BuildImageOptions, CreateImageOptions};
use futures_util::TryStreamExt;
use serde_json::Value;

use super::archive;
use super::engine::{Answer, Engine, Trouble, if_there, trouble};
use super::part::Part;
use super::spec::Container;

/// The image of a container, which is pulled or built if it must be.
pub(crate) fn ensure(engine: &Engine, spec: &Container, config: Part<'_>) -> Answer<ImageInspect> {
    let rest = Part(&spec.rest);
    let (policy, build) = (rest.text("pull_policy"), rest.part("build"));
    let there = if_there(engine.ask(engine.client.inspect_image(&spec.image)))?;
    let there = there.filter(|image| fits(image, config.text("platform")));
    let is_local = build.is_some() || policy == "build";
    match (there, policy) {
        (Some(image), "" | "missing" | "if_not_present" | "never") => return Ok(image),
        (Some(image), _) if !is_local && is_fresh_enough(&image, policy) => return Ok(image),
        (None, "never") => {
            return Err(Trouble::Missing(format!(
                "there is no image {} on this engine, and `pull_policy: never` forbids to pull it",
                spec.image
            )));
        }
        (Some(_), "build") | (None, _) if build.is_some() => {
            let build = build.ok_or_else(|| Trouble::Refused("there is nothing to build".to_owned()))?;
            make(engine, spec, build, config)?;
        }
        (Some(image), _) if build.is_some() => return Ok(image),
        _ => pull(engine, &spec.image, config.text("platform"))?,
    }
    engine.ask(engine.client.inspect_image(&spec.image))
}

/// Whether an image is for a platform: `os/architecture/variant`.
fn fits(image: &ImageInspect, platform: &str) -> bool {
    let mut parts = platform.split('/').filter(|part| !part.is_empty());
    let (os, architecture) = (parts.next(), parts.next());
    let is = |wanted: Option<&str>, found: &Option<String>| {
        wanted.is_none_or(|wanted| found.as_deref().is_none_or(|found| found == wanted))
    };
    is(os, &image.os) && is(architecture, &image.architecture)
}

/// Whether an image need not be pulled again. How old it is on this engine is not known, so that `daily`, `weekly` and
/// `every_` pull each time.
fn is_fresh_enough(_: &ImageInspect, policy: &str) -> bool {
    !matches!(policy, "always" | "daily" | "weekly") && !policy.starts_with("every_")
}

fn pull(engine: &Engine, image: &str, platform: &str) -> Answer<()> {
    let has_tag = image.rsplit('/').next().is_some_and(|last| last.contains([':', '@']));
    let options = CreateImageOptions {
        from_image: Some(image.to_owned()),
        // Without a tag the engine would pull all of them.
        tag: (!has_tag).then(|| "latest".to_owned()),
        platform: platform.to_owned(),
        ..CreateImageOptions::default()
    };
    let pulled = engine.client.create_image(Some(options), None, None);
    let pulled = engine.wait(pulled.try_for_each(|_| async { Ok(()) })).map_err(trouble);
    pulled.map_err(|trouble| match trouble {
        Trouble::Lost(reason) => Trouble::Busy(format!("the image {image} was not pulled: {reason}")),
        other => Trouble::Refused(format!("the image {image} cannot be pulled: {}", other.reason())),
    })
}

/// Builds an image from its context.
fn make(engine: &Engine, spec: &Container, build: Part<'_>, config: Part<'_>) -> Answer<()> {
    for key in ["additional_contexts", "ssh", "secrets", "entitlements", "platforms"] {
        if build.part(key).is_some() {
            return Err(Trouble::Refused(format!(
                "`build.{key}` of the service {} needs BuildKit; build the image with `docker compose build` first",
                spec.key
            )));
        }
    }
    let context = build.text("context");
    let remote = context.contains("://") || context.starts_with("git@");
    let inline = build.text("dockerfile_inline");
    let dockerfile = match (inline, build.text("dockerfile")) {
        ("", "") => "Dockerfile",
        ("", named) => named,
        _ => archive::INLINE,
    };
    let mut labels = strings(build, "labels");
    for key in ["project", "service", "version"] {
        let key = format!("com.docker.compose.{key}");
        labels.extend(spec.labels.get(&key).map(|value| (key, value.clone())));
    }
    let options = BuildImageOptions {
        dockerfile: dockerfile.to_owned(),
        t: Some(spec.image.clone()),
        remote: remote.then(|| context.to_owned()),
        nocache: build.flag("no_cache"),
        pull: build.flag("pull").then(|| "1".to_owned()),
        rm: true,
        forcerm: true,
        buildargs: Some(strings(build, "args")),
        labels: Some(labels),
        cachefrom: Some(build.texts("cache_from").into_iter().map(str::to_owned).collect::<Vec<_>>())
            .filter(|all| !all.is_empty()),
        extrahosts: Some(build.texts("extra_hosts").join(",")).filter(|all| !all.is_empty()),
        networkmode: Some(build.text("network").to_owned()).filter(|mode| !mode.is_empty()),
        target: build.text("target").to_owned(),
        platform: config.text("platform").to_owned(),
        ..BuildImageOptions::default()
    };
    let tar = if remote { None } else { Some(archive::context(Path::new(context), dockerfile, inline)?) };
    let body = tar.map(|tar| bollard::body_full(tar.into()));
    let built = engine.client.build_image(options, None, body);
    let mut last = String::new();
    let built = built.try_for_each(|info| {
        if let Some(text) = info.stream.filter(|text| !text.trim().is_empty()) {
            text.trim().clone_into(&mut last);
        }
        async { Ok(()) }
    });
    let built = engine.wait(built).map_err(trouble);
    built.map_err(|trouble| match trouble {
        Trouble::Lost(reason) => Trouble::Busy(format!("the image {} was not built: {reason}", spec.image)),
        other => {
            Trouble::Refused(format!("the image {} cannot be built: {} ({last})", spec.image, other.reason()))
        }
    })
}

fn strings(part: Part<'_>, key: &str) -> HashMap<String, String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    part.entries(key).filter_map(|(key, value)| Some((key.clone(), text(value.0)?))).collect()
}
