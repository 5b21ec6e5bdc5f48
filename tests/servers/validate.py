"""Holds requests against the types that a vendor publishes with its own client.

    validate.py KIND < requests.json

KIND is a dialect as in `provider.type`, the input a list of request bodies. Each complaint is a
line; none is the best answer. The exit code says whether anything could be judged at all.
"""

import json
import sys

from pydantic import TypeAdapter, ValidationError


def walk(value):
    """Lists are validated when somebody looks at them."""
    if isinstance(value, dict):
        for inner in value.values():
            walk(inner)
    elif not isinstance(value, (str, bytes)) and hasattr(value, "__iter__"):
        for inner in value:
            walk(inner)


def check(type_, body):
    # The adapter has to live until the last list was looked at.
    adapter = TypeAdapter(type_)
    walk(adapter.validate_python(body, extra="forbid"))


def anthropic(body):
    from anthropic.types.message_create_params import MessageCreateParamsStreaming

    check(MessageCreateParamsStreaming, body)


def openai_compatible(body):
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

    check(CompletionCreateParamsStreaming, body)


def openai_responses(body):
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming

    check(ResponseCreateParamsStreaming, body)


def gemini(body):
    """Google's client has a type for each part of a request and none for the whole."""
    from google.genai import types

    parts = {
        "contents": lambda value: check(list[types.Content], value),
        "tools": lambda value: check(list[types.Tool], value),
        "systemInstruction": lambda value: check(types.Content, value),
        "generationConfig": lambda value: check(types.GenerationConfig, value),
        "toolConfig": lambda value: check(types.ToolConfig, value),
    }
    for key, value in body.items():
        if key not in parts:
            raise ValueError(f"{key}: no such field")
        parts[key](value)
    for content in body["contents"]:
        if content.get("role") not in ("user", "model"):
            raise ValueError(f"contents: the role {content.get('role')!r} is neither user nor model")


def main():
    judge = {judge.__name__: judge for judge in (anthropic, openai_compatible, openai_responses, gemini)}[sys.argv[1]]
    for number, body in enumerate(json.load(sys.stdin)):
        try:
            judge(body)
        except (ValidationError, ValueError) as error:
            print(f"request {number}: " + " ".join(str(error).split()))


main()
