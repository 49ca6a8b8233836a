"""What query parameters and options may be, and the shape of the answers made here.

The result of an adjudication is not among them: its bytes are stored as such and pass through unchanged.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate
from werkzeug.datastructures import MultiDict

from adjudicator.errors import Fault, Place, RequestError
from adjudicator.happy_end.result import format_engine
from adjudicator.happy_end.ruleset import OPTIONS, ChoiceOption, Option, format_ruleset
from adjudicator.logs.json_content import format_pointer
from adjudicator.service.clock import format_time
from adjudicator.service.values import Status

LONGEST_NAME = 64
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


def moment_field(name: str) -> fields.Function:
    """The time in that attribute, ``None`` while it has not come."""

    def serialize(value: object) -> str | None:
        moment: datetime | None = getattr(value, name)
        return None if moment is None else format_time(moment)

    return fields.Function(serialize)


def _name() -> fields.String:
    return fields.String(validate=validate.Length(min=1, max=LONGEST_NAME))


class WrittenNumber(fields.Float):
    """A number written in a query, by the grammar of JSON: one way to write it, and no locale's digits."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> float:
        if not (isinstance(value, str) and NUMBER.fullmatch(value)):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **kwargs)


class JsonNumber(fields.Float):
    """A number of a JSON document; text that looks like one is none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> float:
        if not isinstance(value, int | float):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **kwargs)


def _options_schema(name: str, number: type[fields.Float]) -> type[Schema]:
    """Which ruleset with which options, and which engine; what is not given is the service's default."""

    def field(option: Option) -> fields.Field[Any]:
        if isinstance(option, ChoiceOption):
            return fields.String(validate=validate.OneOf(option.values))
        return number(validate=validate.Range(min=option.least, max=option.most))

    named = {"ruleset": _name(), "engine": _name(), "cross_check": _name()}
    return Schema.from_dict(named | {option.name: field(option) for option in OPTIONS}, name=name)


OptionsSchema = _options_schema("OptionsSchema", WrittenNumber)
"""The options as they stand in a query."""

JsonOptionsSchema = _options_schema("JsonOptionsSchema", JsonNumber)
"""The options as they stand in a JSON object."""

SubmissionSchema = OptionsSchema.from_dict({"format": _name()}, name="SubmissionSchema")
"""The options, and the format of the record where the sender knows it."""


class MatchSchema(Schema):
    """What is known of a match."""

    id = fields.String()
    sha256 = fields.String()
    format = fields.String()
    media_type = fields.String()
    file_name = fields.String()
    variant = fields.String()
    match_length = fields.Integer()
    players = fields.Function(lambda match: {"white": match.white, "black": match.black})
    received_at = moment_field("received_at")
    adjudications = fields.List(fields.String(), attribute="adjudication_ids")


class FailureSchema(Schema):
    """Why an adjudication failed."""

    code = fields.String()
    detail = fields.String()


class StateSchema(Schema):
    """Where an adjudication stands, without its result."""

    schema = fields.Constant("adjudication-state/1")
    id = fields.String()
    status = fields.Enum(Status, by_value=True)
    match = fields.Function(lambda adjudication: {"id": adjudication.match_id})
    ruleset = fields.Function(lambda adjudication: format_ruleset(adjudication.ruleset))
    engine = fields.Function(lambda adjudication: format_engine(adjudication.engine))
    attempt = fields.Integer()
    submitted_at = moment_field("submitted_at")
    started_at = moment_field("started_at")
    finished_at = moment_field("finished_at")
    error = fields.Nested(FailureSchema)


class EngineEntrySchema(Schema):
    """An engine that can be asked for."""

    name = fields.String()
    version = fields.String()
    settings = fields.Dict()
    title = fields.String()
    licence = fields.String()
    plies = fields.List(fields.Integer())
    variants = fields.List(fields.String())
    default = fields.Boolean()
    available = fields.Boolean()
    detail = fields.String()


class RulesetEntrySchema(Schema):
    """A ruleset that can be asked for."""

    name = fields.String()
    version = fields.Integer()
    default = fields.Boolean()
    options = fields.Raw()


class VariantEntrySchema(Schema):
    """A game whose rules are known."""

    name = fields.String()
    checkers = fields.Integer()
    default = fields.Boolean()


class FormatEntrySchema(Schema):
    """A format of records that is read."""

    name = fields.String()
    title = fields.String()
    media_type = fields.String()
    suffixes = fields.List(fields.String())


def parse_parameters(schema: Schema, sent: MultiDict[str, str]) -> dict[str, Any]:
    """The parameters of a query, checked.

    Raises: RequestError that names every parameter which is unknown, given twice, or has a wrong value.
    """
    twice = {name: ["Given more than once."] for name, values in sent.lists() if len(values) > 1}
    return _parse(schema, sent.to_dict(), twice, "parameter")


def parse_options(schema: Schema, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The options in a JSON object, checked.

    Raises: RequestError that points at every member which is unknown or has a wrong value.
    """
    return _parse(schema, sent, {}, "pointer")


def _parse(
    schema: Schema, sent: Mapping[str, Any], wrong: Mapping[str, list[str]], kind: str
) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(sent)
    except ValidationError as error:
        wrong = {**error.messages_dict, **wrong}
        loaded = {}
    if wrong:
        faults = [_fault(name, reasons, kind) for name, reasons in wrong.items()]
        raise RequestError("The options of this request are wrong.", faults)
    return loaded


def _fault(name: str, reasons: list[str], kind: str) -> Fault:
    reason = " ".join(reasons)
    if kind == "parameter":
        return Fault(reason, Place(parameter=name))
    return Fault(reason, Place(pointer=format_pointer(name)))
