#!/usr/bin/env python3
"""What Heat itself says of templates, without an OpenStack.

Heat's engine runs here as it is, with two of its own ways in: that of `openstack orchestration template validate`
(EngineService.validate_template), and the check that a stack passes before it is created
(EngineService._parse_template_and_validate_stack, with properties, constraints and the plug-ins' validations). Templates,
environments and the files that they name are gathered by Heat's own client. Around it stands a cloud that has
everything that anybody names: a flavour, an image, a network that is not of the template exists.

Heat is not ours and not in this repository. To install it:

    python3.11 -m venv heatenv
    heatenv/bin/pip install openstack-heat==27.0.1
    heatenv/bin/python bench/heat_validate.py template.yaml …

Templates are named as arguments, or come as one JSON object a line on the standard input:

    {"template": path, "environments": [path, …], "parameters": {name: text}, "fill": bool, "mode": "validate" | "create" | "both"}

`fill` gives a value that fits to every parameter that has none, as templates of collections seldom come with values.
For each template one JSON object a line is written:

    {"template": path, "validate": null or Heat's words, "validate_seconds": …,
     "create": null or Heat's words, "create_seconds": …, "filled": {name: text}}

null means that Heat accepts. The seconds are those that the processor spent on the engine's part; what the client does
is not counted. The first line that is written says how long the engine took to start.
"""

import sys

# Beside this file stands a `yaml.py`, which is not the one that Heat wants.
sys.path.pop(0)

import argparse
import json
import logging
import os
import re
import time
import warnings
from unittest import mock

warnings.filterwarnings("ignore")


class Stub:
    """An object of the cloud: it has every attribute that Heat looks at, and fits everything."""

    status = "active"
    min_ram = min_disk = 0
    ram = disk = 1 << 30

    def __init__(self, name):
        self.id = self.name = name


class StubPlugin:
    """A plug-in for a client that finds everything. What is no method stays as the real one has it."""

    # Versions of Nova's interface that take something away. A cloud that still has it refuses less.
    TAKEN_AWAY = ("2.57", "2.92")

    def __init__(self, real):
        self._real = real
        self._client = mock.MagicMock(name="client")

    def client(self, version=None):
        return self._client

    def is_version_supported(self, version):
        return str(version) not in self.TAKEN_AWAY

    def has_extension(self, alias):
        return True

    def does_endpoint_exist(self, *_, **__):
        return True

    def is_not_found(self, error):
        return False

    def absolute_limits(self):
        return {"maxServerMeta": 1 << 30, "maxPersonality": 1 << 30, "maxPersonalitySize": 1 << 30}

    def get_image(self, name):
        return Stub(name)

    def get_flavor(self, name):
        return Stub(name)

    def __getattr__(self, name):
        real = getattr(self._real, name)
        if not callable(real):
            return real
        if name.startswith(("find_", "get_")):
            return lambda *args, **kwargs: args[-1] if args else next(iter(kwargs.values()), None)
        return mock.MagicMock(name=name)


def start():
    """Starts the engine, and puts the cloud around it."""
    logging.disable(logging.CRITICAL)
    from oslo_config import cfg

    from heat.common import config  # noqa: F401 (defines options)
    from heat.common import messaging
    from heat.engine import clients, resource, resources, service
    from heat.objects import stack as stack_object

    cfg.CONF([], project="heat", prog="heat-engine", default_config_files=[])
    cfg.CONF.set_override("max_resources_per_stack", -1)
    cfg.CONF.set_override("max_template_size", 1 << 40)
    cfg.CONF.set_override("max_json_body_size", 1 << 40)
    # What the package brings along: other names for some types, and templates for a few of Amazon's.
    cfg.CONF.set_override("environment_dir", os.path.join(sys.prefix, "etc/heat/environment.d"))
    cfg.CONF.set_override("template_dir", os.path.join(sys.prefix, "etc/heat/templates"))

    plugins = {}

    def client_plugin(self, name):
        if name not in plugins:
            known = clients._mgr and name in clients._mgr.names()
            plugins[name] = StubPlugin(clients._mgr[name].plugin) if known else None
        return plugins[name]

    clients.OpenStackClients.client_plugin = client_plugin
    clients.OpenStackClients.client = lambda self, name, version=None: client_plugin(self, name).client()
    resource.Resource.is_service_available = classmethod(lambda cls, context: (True, None))
    stack_object.Stack.get_by_name = classmethod(lambda cls, context, name: None)
    stack_object.Stack.count_all = classmethod(lambda cls, context, **_: 0)
    messaging.get_rpc_client = mock.MagicMock(name="rpc client")
    engine = service.EngineService("host", "topic")
    engine.resource_enforcer = mock.MagicMock()
    # Constraints on the form of a text stay; those that ask the cloud find what they look for.
    registry = resources.global_env().constraints
    for name, kind in list(registry.items()):
        if kind.__module__.startswith("heat.engine.clients"):
            registry[name] = type(kind.__name__, (kind,), {"validate": lambda self, value, context: True})
    return engine


def context():
    from heat.common import context as heat_context

    return heat_context.RequestContext.from_dict(
        {
            "tenant_id": "project",
            "tenant": "project",
            "username": "user",
            "user_id": "user",
            "password": "",
            "roles": ["admin"],
            "is_admin": True,
            "auth_url": "http://cloud.test:5000/v3",
            "auth_token": "token",
        }
    )


def url(path):
    return "file://" + os.path.abspath(path)


def gather(job):
    """The template, its files and its environment, as the client sends them."""
    from heatclient.common import template_utils

    files, template = template_utils.get_template_contents(template_file=job["template"])
    env_files, env = template_utils.process_multiple_environments_and_files(env_paths=job.get("environments") or [])
    # On the way to the engine, what the client has read as bytes becomes text.
    files = {name: text.decode() if isinstance(text, bytes) else text for name, text in {**files, **env_files}.items()}
    return template, files, env


GUESSES = ["Passw0rd", "Passw0rd!", "Abc", "abc", "user@example.org", "a_name", "1", "10.20.30.40", "A" * 38 + "=="]


def fitting(name, definition):
    """A value that fits a parameter, as a text; nothing if there is no saying."""
    kind = str(definition.get("type", "string")).lower()
    low, high, custom, patterns = None, None, None, []
    for one in definition.get("constraints") or []:
        if "allowed_values" in one and one["allowed_values"]:
            return str(one["allowed_values"][0])
        custom = one.get("custom_constraint", custom)
        if "allowed_pattern" in one:
            patterns.append(str(one["allowed_pattern"]))
        for key in ("range", "length"):
            if isinstance(one.get(key), dict):
                low = one[key].get("min", low)
                high = one[key].get("max", high)
    if kind == "number":
        return str(low if low is not None else min(1, high) if high is not None else 1)
    if kind == "boolean":
        return "true"
    if kind == "json":
        return "{}"
    if kind in ("comma_delimited_list", "commadelimitedlist"):
        return ",".join(f"item{i}" for i in range(int(low or 1)))
    forms = {
        "net_cidr": "10.20.30.0/24",
        "ip_addr": "10.20.30.40",
        "ip_or_cidr": "10.20.30.40",
        "mac_addr": "fa:16:3e:00:00:01",
        "dns_name": "host",
        "dns_domain": "example.org.",
        "rel_dns_name": "host",
        "timezone": "UTC",
        "iso_8601": "PT1H",
        "cron_expression": "* * * * *",
        "expiration": "2099-12-31T00:00:00",
    }
    words = name.lower().replace("-", "_").split("_")
    if custom in forms:
        text = forms[custom]
    elif custom:
        text = "some-" + custom.replace(".", "-")
    elif "cidr" in name.lower():
        text = forms["net_cidr"]
    elif words[-1] in ("ip", "gateway", "address", "start", "end") or "ip" in words:
        text = "10.20.30.40"
    elif words[-1] in ("count", "size", "port", "number", "timeout", "vlan", "weight"):
        text = "1"
    else:
        text = "some-" + name.lower()
    # Whatever of these matches all patterns, and is not too long or too short.
    for guess in [text, *GUESSES]:
        guess = guess.ljust(int(low), "x") if low else guess
        guess = guess[: int(high)] if high else guess
        try:
            if all((found := re.match(pattern, guess)) and found.end() == len(guess) for pattern in patterns):
                return guess
        except re.error:
            break
    return text


def fill(template, env, given):
    filled = {}
    parameters = template.get("parameters") if isinstance(template, dict) else None
    known = set(env.get("parameters") or {}) | set(env.get("parameter_defaults") or {}) | set(given)
    for name, definition in (parameters if isinstance(parameters, dict) else {}).items():
        if isinstance(definition, dict) and definition.get("default") is None and name not in known:
            value = fitting(str(name), definition)
            filled[str(name)] = value
    return filled


def attempt(work):
    """Heat's words if it refuses, and how long it took."""
    began = time.process_time()
    try:
        result = work()
        words = result.get("Error") if isinstance(result, dict) else None
    except AssertionError:
        raise
    except Exception as error:  # whatever it is, Heat would have told the user
        words = f"{type(error).__name__}: {error}"
    return words, time.process_time() - began


def judge(engine, job):
    answer = {"template": job["template"], "validate": None, "create": None, "filled": {}}
    try:
        template, files, env = gather(job)
    except BaseException as error:
        words = f"client: {type(error).__name__}: {error}"
        return {**answer, "validate": words, "create": words, "validate_seconds": 0, "create_seconds": 0}
    given = dict(job.get("parameters") or {})
    if job.get("fill"):
        answer["filled"] = fill(template, env, given)
        given.update(answer["filled"])

    def parameters():
        return {**env, "parameters": {**(env.get("parameters") or {}), **given}}

    mode = job.get("mode", "both")
    if mode in ("validate", "both"):
        answer["validate"], answer["validate_seconds"] = attempt(
            lambda: engine.validate_template(context(), template, parameters(), files)
        )
    if mode in ("create", "both"):
        answer["create"], answer["create_seconds"] = attempt(
            lambda: engine._parse_template_and_validate_stack(
                context(), "stack", template, parameters(), files, None, None, {}
            )
        )
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("templates", nargs="*", help="templates; without any, jobs are read from the standard input")
    parser.add_argument("-e", "--environment", action="append", default=[])
    parser.add_argument("-P", "--parameter", action="append", default=[], help="NAME=VALUE")
    parser.add_argument("--fill", action="store_true", help="give a value to parameters that have none")
    parser.add_argument("--mode", choices=["validate", "create", "both"], default="both")
    options = parser.parse_args()
    engine = start()
    print(json.dumps({"started_seconds": time.process_time()}), flush=True)
    if options.templates:
        common = {
            "environments": options.environment,
            "parameters": dict(one.split("=", 1) for one in options.parameter),
            "fill": options.fill,
            "mode": options.mode,
        }
        jobs = ({**common, "template": path} for path in options.templates)
    else:
        jobs = (json.loads(line) for line in sys.stdin if line.strip())
    for job in jobs:
        print(json.dumps(judge(engine, job)), flush=True)


if __name__ == "__main__":
    main()
