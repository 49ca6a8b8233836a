"""What query parameters and options may be, and the shape of the answers made here.

The result of an adjudication is not among them: its bytes are stored as such and pass through unchanged.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate
from werkzeug.datastructures import MultiDict

from adjudicator.errors import Fault, Place, RequestError
from adjudicator.happy_end.result import format_engine
from adjudicator.happy_end.ruleset import OPTIONS, ChoiceOption, Option, format_ruleset
from adjudicator.logs.json_content import format_pointer
from adjudicator.service.clock import format_time
from adjudicator.service.pages import MOST_ENTRIES, USUAL_ENTRIES, Mark, parse_cursor
from adjudicator.service.values import Status

LONGEST_NAME = 64
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)

MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d))?", re.ASCII)

NO_MOMENT = "Not a day such as 2026-11-29 or a time such as 2026-11-29T10:00:00Z."
NO_CURSOR = "Not a cursor of this listing: take next_cursor of the page before."


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

AgainSchema = OptionsSchema.from_dict({"callback_url": fields.String()}, name="AgainSchema")
"""The options, and whom to tell; what a URL may be is the service's to say."""

SubmissionSchema = AgainSchema.from_dict({"format": _name()}, name="SubmissionSchema")
"""The same, and the format of the record where the sender knows it."""


class WrittenMoment(fields.Field[datetime]):
    """A day, which stands for its first moment in UTC, or a time with its distance from UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:  # noqa: ARG002
        try:
            moment = datetime.fromisoformat(value if MOMENT.fullmatch(value) else "")
            return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError) as error:
            raise ValidationError(NO_MOMENT) from error


class WrittenCursor(fields.Field[Mark]):
    """A cursor as an earlier page gave it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Mark:  # noqa: ARG002
        try:
            return parse_cursor(value)
        except ValueError as error:
            raise ValidationError(NO_CURSOR) from error


class WrittenWhole(WrittenNumber):
    """A whole number written in a query."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> float:
        number = super()._deserialize(value, attr, data, **kwargs)
        if not number.is_integer():
            raise self.make_error("invalid", input=value)
        return int(number)


class PageSchema(Schema):
    """Which page of a listing."""

    cursor = WrittenCursor()
    limit = WrittenWhole(load_default=USUAL_ENTRIES, validate=validate.Range(min=1, max=MOST_ENTRIES))


class ListingSchema(PageSchema):
    """Which adjudications, and which page of them."""

    player = fields.String(validate=validate.Length(min=1))
    since = WrittenMoment(data_key="from")
    until = WrittenMoment(data_key="to")
    changed = fields.Boolean(truthy={"true"}, falsy={"false"})
    status = fields.Enum(Status, by_value=True)


class MatchSchema(Schema):
    """What is known of a match."""

    id = fields.String()
    sha256 = fields.String()
    original_sha256 = fields.String()
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


class MatchInBriefSchema(Schema):
    """What a listing tells of a match."""

    id = fields.String()
    variant = fields.String()
    match_length = fields.Integer()
    players = fields.Function(lambda match: {"white": match.white, "black": match.black})


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


def dump_known(schema: Schema, value: object) -> dict[str, Any]:
    """The document of a value without what is not known of it."""
    document: dict[str, Any] = schema.dump(value)
    return {name: member for name, member in document.items() if member is not None}


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
        raise RequestError("The options of this request are wrong.", list(_faults(wrong, kind)))
    return loaded


def _faults(wrong: Mapping[str, Any], kind: str, *above: object) -> Iterator[Fault]:
    """A fault for each member that is wrong, also within others (``above`` are the steps to these)."""
    for name, reasons in wrong.items():
        if isinstance(reasons, Mapping):
            yield from _faults(reasons, kind, *above, name)
        elif kind == "parameter":
            yield Fault(" ".join(reasons), Place(parameter=name))
        else:
            yield Fault(" ".join(reasons), Place(pointer=format_pointer(*above, name)))
