"""The playground as its tests use it: opened in a browser, edited, run, and its code executed."""

import json
import os
import re
import subprocess
import sys

from server_builders import ENOUGH


class Page:
    """The playground, opened."""

    def __init__(self, driver, url):
        self.driver = driver
        self.url = url
        self.open()

    def open(self, fragment=""):
        self.driver.get("about:blank")  # else another fragment would not load the page again
        self.driver.get(f"{self.url}/playground/{fragment}")
        self.until(lambda: self.js("return document.body.dataset.ready") == "yes")

    def js(self, code, *values):
        return self.driver.execute_script(code, *values)

    def until(self, fine):
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, ENOUGH, 0.05).until(lambda _: fine())

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector):
        (found,) = self.all(selector)
        return found

    def texts(self, selector):
        return [element.text for element in self.all(selector)]

    def switch(self, name, value):
        self.one(f"[name={name}][value={value}] + span").click()

    def select(self, element, text):
        from selenium.webdriver.support.ui import Select

        Select(element).select_by_visible_text(text)

    def write(self, element, text):
        """Put a text in as an edit does; keys could not type every character."""
        self.js("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", element, text)

    def value(self, selector):
        return self.js("return arguments[0].value", self.one(selector))

    def fill(self, state, questions):
        if isinstance(state, str):
            self.switch("state-mode", "text")
            self.write(self.one("#state-text"), state)
        else:
            self.switch("state-mode", "json")
            self.write(self.one("#state-json"), json.dumps(state))
        self.write(self.one("#questions-json"), json.dumps(questions))

    def run(self, button="run"):
        self.js("document.getElementById('results').replaceChildren()")
        self.one(f"#{button}").click()
        self.until(lambda: self.all(".answer, .failure, .costs") and not self.all("#results[aria-busy=true]"))

    def code(self, kind):
        if not self.all("#copies[open]"):
            self.one("#copies summary").click()
        self.switch("copy-kind", kind)
        return self.js("return document.getElementById('code').textContent")

    @property
    def json(self):
        return json.loads(self.value("#questions-json"))

    def bars(self, name):
        """Label and percentage of each bar of an answer, as drawn, and how wide it is."""
        rows = self.all(f".answer[data-id='{name}'] .bar")
        script = (
            "return [...arguments[0].querySelectorAll('.bar-label, .bar-number')].map(e => e.firstChild.textContent)"
        )
        width = "return parseFloat(arguments[0].querySelector('.fill').style.width)"
        return [(*self.js(script, row), self.js(width, row)) for row in rows]


def execute(kind, code, folder, **variables):
    """Output of code that was copied, run as it is."""
    if kind == "curl":
        command = ["bash", "-s"]
    else:
        (folder / "copied.py").write_text(code, encoding="utf-8")
        command = [sys.executable, str(folder / "copied.py")]
    done = subprocess.run(  # noqa: S603 - our own page's code
        command,
        input=code,
        capture_output=True,
        encoding="utf-8",
        timeout=ENOUGH,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_PROXY": "*", **variables},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def luminance(page, selector, name):
    colour = page.js("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(page, text, behind):
    light, dark = luminance(page, text, "color"), luminance(page, behind, "backgroundColor")
    return (max(light, dark) + 0.05) / (min(light, dark) + 0.05)
