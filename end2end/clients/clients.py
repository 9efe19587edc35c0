"""The makers' own clients in Python, against the program that clients.test.mjs started."""

import base64
import json
import os
import time
import unittest
from urllib.request import urlopen

import anthropic
import openai
import pydantic

HUB = os.environ["VIVARIUM"]
TOKEN = os.environ["VIVARIUM_TOKEN"]
POOR = os.environ["VIVARIUM_POOR_TOKEN"]
ENDPOINT = os.environ["ENDPOINT"]

MODELS = ["Chat/gpt-5-mini", "Claude/claude-sonnet-4-5"]
LOOK = {"type": "object", "properties": {"at": {"type": "number"}}, "required": ["at"]}
CALLS = 'turns: [[{"tool":"look","input":{"at":7}}],[{"text":"It says {results}"}]]'
HANGS = 'turns: [[{"text":"First words"},"hang"]]'
LIMITED = 'turns: [{"status":429,"type":"rate_limit_error","message":"Slow down.","retry_after":"1"}]'
PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n and so on").decode()


def clients(token=TOKEN, retries=0):
    return (
        openai.OpenAI(base_url=f"{HUB}/v1", api_key=token, max_retries=retries),
        anthropic.Anthropic(base_url=HUB, api_key=token, max_retries=retries),
    )


def user(content):
    return [{"role": "user", "content": content}]


def asked():
    with urlopen(f"{ENDPOINT}/requests") as answer:
        return json.load(answer)


class Place(pydantic.BaseModel):
    at: int


class Clients(unittest.TestCase):
    def setUp(self):
        self.openai, self.anthropic = clients()

    def each(self):
        for model in MODELS:
            with self.subTest(model):
                yield model

    def test_chat_completions(self):
        for model in self.each():
            whole = self.openai.chat.completions.create(model=model, messages=user("Hello"))
            self.assertEqual(whole.choices[0].message.content, "You said: Hello")
            self.assertGreater(whole.usage.total_tokens, 0)
            stream = self.openai.chat.completions.create(
                model=model, messages=user("Hello again"), stream=True, stream_options={"include_usage": True}
            )
            said, usage = "", None
            for chunk in stream:
                said += chunk.choices[0].delta.content or "" if chunk.choices else ""
                usage = chunk.usage or usage
            self.assertEqual(said, "You said: Hello again")
            self.assertGreater(usage.completion_tokens, 0)

    def test_tools_in_chat_completions(self):
        tools = [{"type": "function", "function": {"name": "look", "parameters": LOOK}}]
        for model in self.each():
            messages = user(CALLS)
            with self.openai.chat.completions.stream(model=model, messages=messages, tools=tools) as stream:
                first = stream.get_final_completion().choices[0]
            self.assertEqual(first.finish_reason, "tool_calls")
            call = first.message.tool_calls[0]
            self.assertEqual(json.loads(call.function.arguments), {"at": 7})
            messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": "a lamp"}]
            second = self.openai.chat.completions.create(model=model, messages=messages, tools=tools)
            self.assertEqual(second.choices[0].message.content, "It says a lamp")

    def test_responses(self):
        tools = [{"type": "function", "name": "look", "parameters": LOOK, "strict": False}]
        for model in self.each():
            whole = self.openai.responses.create(model=model, input="Hello")
            self.assertEqual(whole.output_text, "You said: Hello")
            with self.openai.responses.stream(model=model, input=user(CALLS), tools=tools) as stream:
                first = stream.get_final_response()
            call = next(item for item in first.output if item.type == "function_call")
            self.assertEqual(json.loads(call.arguments), {"at": 7})
            result = {"type": "function_call_output", "call_id": call.call_id, "output": "a lamp"}
            said = [item.model_dump(exclude_none=True) for item in first.output]
            second = self.openai.responses.create(model=model, input=[*user(CALLS), *said, result], tools=tools)
            self.assertEqual(second.output_text, "It says a lamp")

    def test_messages(self):
        tools = [{"name": "look", "input_schema": LOOK}]
        for model in self.each():
            whole = self.anthropic.messages.create(model=model, max_tokens=1000, messages=user("Hello"))
            self.assertEqual(whole.content[0].text, "You said: Hello")
            messages = user(CALLS)
            with self.anthropic.messages.stream(
                model=model, max_tokens=1000, messages=messages, tools=tools
            ) as stream:
                first = stream.get_final_message()
            self.assertEqual(first.stop_reason, "tool_use")
            call = next(block for block in first.content if block.type == "tool_use")
            self.assertEqual(call.input, {"at": 7})
            result = {"type": "tool_result", "tool_use_id": call.id, "content": "a lamp"}
            messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
            second = self.anthropic.messages.create(model=model, max_tokens=1000, messages=messages, tools=tools)
            self.assertEqual(second.content[0].text, "It says a lamp")

    def test_structured_answers(self):
        text = 'turns: [[{"text":"{\\"at\\": 7}"}]]'
        for model in self.each():
            chat = self.openai.chat.completions.parse(model=model, messages=user(text), response_format=Place)
            self.assertEqual(chat.choices[0].message.parsed, Place(at=7))
            response = self.openai.responses.parse(model=model, input=text, text_format=Place)
            self.assertEqual(response.output_parsed, Place(at=7))
            message = self.anthropic.messages.parse(
                model=model, max_tokens=1000, messages=user(text), output_format=Place
            )
            self.assertEqual(message.parsed_output, Place(at=7))
            self.assertIn('"at"', json.dumps(asked()[-1]["body"]))

    def test_tools_of_types(self):
        tools = [openai.pydantic_function_tool(Place, name="look")]
        for model in self.each():
            chat = self.openai.chat.completions.parse(
                model=model, messages=user(CALLS), tools=tools, parallel_tool_calls=False
            )
            call = chat.choices[0].message.tool_calls[0]
            self.assertEqual(call.function.parsed_arguments, Place(at=7))

    def test_what_cannot_be_had(self):
        with self.assertRaises(openai.NotFoundError) as caught:
            self.openai.embeddings.create(model=MODELS[0], input="Hello")
        self.assertEqual(caught.exception.code, "unknown_url")
        self.assertTrue(caught.exception.request_id.startswith("req_"))
        with self.assertRaises(openai.BadRequestError):
            self.openai.chat.completions.create(model=MODELS[1], messages=user("Hello"), n=2)
        with self.assertRaises(anthropic.BadRequestError) as caught:
            self.anthropic.messages.create(
                model=MODELS[1], max_tokens=10, messages=user("Hello"), extra_body={"colour": "red"}
            )
        self.assertTrue(caught.exception.request_id.startswith("req_"))

    def test_images(self):
        source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
        for model in self.each():
            self.anthropic.messages.create(
                model=model, max_tokens=10, messages=user([{"type": "image", "source": source}])
            )
            self.assertIn(PIXEL, json.dumps(asked()[-1]["body"]))

    def test_an_answer_that_is_given_up(self):
        for model in self.each():
            stream = self.openai.chat.completions.create(model=model, messages=user(HANGS), stream=True)
            for chunk in stream:
                if chunk.choices and "words" in (chunk.choices[0].delta.content or ""):
                    break
            stream.close()
            deadline = time.monotonic() + 20
            while asked()[-1]["ended"] != "aborted":
                self.assertLess(time.monotonic(), deadline)

    def test_an_agent_as_a_model(self):
        with self.openai.chat.completions.stream(model="agent/Fern", messages=user("Hello")) as stream:
            said = stream.get_final_completion().choices[0].message.content
        self.assertEqual(said, "You said: Hello")
        message = self.anthropic.messages.create(model="agent/Fern", max_tokens=1000, messages=user("Hello again"))
        self.assertEqual(message.content[0].text, "You said: Hello again")

    def test_the_list_of_models(self):
        names = [model.id for model in self.openai.models.list()]
        self.assertLessEqual(set(MODELS), set(names))
        self.assertEqual([model.id for model in self.anthropic.models.list()], names)

    def test_errors(self):
        ours, theirs = openai, anthropic
        claude = MODELS[1]
        for given, model, text, of_openai, of_anthropic in [
            (clients(), "Chat/none", "Hello", ours.NotFoundError, theirs.NotFoundError),
            (clients("viv_wrong"), claude, "Hello", ours.AuthenticationError, theirs.AuthenticationError),
            (clients(POOR, 5), claude, "Hello", ours.RateLimitError, theirs.APIStatusError),
            (clients(), "Down/claude-sonnet-4-5", "Hello", ours.InternalServerError, theirs.InternalServerError),
            (clients(), "Slow/claude-sonnet-4-5", LIMITED, ours.RateLimitError, theirs.RateLimitError),
        ]:
            with self.subTest(model=model, text=text):
                with self.assertRaises(of_openai):
                    given[0].chat.completions.create(model=model, messages=user(text))
                with self.assertRaises(of_anthropic):
                    given[1].messages.create(model=model, max_tokens=1000, messages=user(text))


if __name__ == "__main__":
    unittest.main()
