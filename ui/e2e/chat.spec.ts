import { expect, type Page, test } from "@playwright/test";
import { ask, composer, core, longChat, openApp, script, transcript, watchNetwork } from "./app";

const LONG = Array.from({ length: 60 }, (_, line) => `Paragraph ${line} with a few words in it.`).join(
  "\n\n",
);

/** How far a row is from the top of the log. */
async function topOf(page: Page, text: string): Promise<number> {
  return page.evaluate((wanted) => {
    const log = document.querySelector("[role=log]");
    const row = [...document.querySelectorAll("[role=log] p")].find((p) => p.textContent === wanted);
    return (row?.getBoundingClientRect().top ?? Number.NaN) - (log?.getBoundingClientRect().top ?? 0);
  }, text);
}

test("scrolling up once while text streams holds the place to the end and after it", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: LONG, perSecond: 250 }]);
  await ask(page, "Write a lot");
  await expect(transcript(page).getByText("Paragraph 25 with")).toBeVisible();
  await transcript(page).hover();
  await page.mouse.wheel(0, -120);
  await page.waitForTimeout(200);
  const row = await page.evaluate(() => {
    const log = document.querySelector("[role=log]")?.getBoundingClientRect();
    const rows = [...document.querySelectorAll("[role=log] p")];
    return rows.find((p) => p.getBoundingClientRect().top > (log?.top ?? 0) + 20)?.textContent ?? "";
  });
  const before = await topOf(page, row);
  await expect
    .poll(() => core(page, (hook) => hook.core.state().sessions[0]?.running === null, null))
    .toBe(true);
  await page.waitForTimeout(600);
  expect(Math.abs((await topOf(page, row)) - before)).toBeLessThanOrEqual(1);
  await page.getByRole("button", { name: "Latest" }).click();
  await expect(transcript(page).getByText("Paragraph 59 with")).toBeInViewport();
  await expect(page.getByRole("button", { name: "Latest" })).toHaveCount(0);
});

test("a selection in the streaming paragraph survives and copies right", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openApp(page);
  await script(page, [{ say: `First words stand here. ${"and more ".repeat(600)}`, perSecond: 120 }]);
  await ask(page, "Stream");
  await expect(transcript(page).getByText("First words stand here. and more and more")).toBeVisible();
  // Sending gives the focus back to the composer; a selection made before that would be lost to it.
  await expect(composer(page)).toBeFocused();
  await page.evaluate(() => {
    const walker = document.createTreeWalker(
      document.querySelector(".answer") ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    const text = walker.nextNode();
    if (text) document.getSelection()?.setBaseAndExtent(text, 0, text, 11);
  });
  await page.waitForTimeout(5000);
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe("First words");
  await page.keyboard.press("Control+c");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("First words");
});

test("Enter of an input method never sends; the next Enter does", async ({ page }) => {
  await openApp(page);
  await composer(page).fill("ನಮಸ್ಕಾರ");
  await composer(page).evaluate((field) => {
    const key = (init: KeyboardEventInit) =>
      field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
    key({ key: "Enter", isComposing: true });
    key({ key: "Enter", keyCode: 229 } as KeyboardEventInit);
    field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    key({ key: "Enter" });
  });
  await expect(composer(page)).toHaveValue("ನಮಸ್ಕಾರ");
  await page.waitForTimeout(50);
  await composer(page).press("Enter");
  await expect(transcript(page).getByText("ನಮಸ್ಕಾರ", { exact: true })).toBeVisible();
});

test("Stop freezes the text, says so, and Continue goes on", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: LONG, perSecond: 200 }], [{ say: "Going on." }]);
  await ask(page, "Write a lot");
  await expect(transcript(page).getByText("Paragraph 3 with")).toBeVisible();
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expect(transcript(page).getByText("Stopped by you")).toBeVisible();
  const text = await transcript(page).innerText();
  await page.waitForTimeout(400);
  expect(await transcript(page).innerText()).toBe(text);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(transcript(page).getByText("Going on.")).toBeVisible();
});

test("text that is there 100 ms after Stop is the text that stays", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: LONG, perSecond: 300 }]);
  await ask(page, "Write a lot");
  await expect(transcript(page).getByText("Paragraph 5 with")).toBeVisible();
  await page.getByRole("button", { name: /^Stop/ }).evaluate((button) => {
    const shown = () => document.querySelector(".answer")?.textContent ?? "";
    button.addEventListener("click", () => {
      const atClick = shown();
      setTimeout(() => {
        window.__test = { atClick, soon: shown() };
      }, 100);
    });
  });
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expect(transcript(page).getByText("Stopped by you")).toBeVisible();
  await page.waitForTimeout(800);
  const { atClick, soon } = await page.evaluate(() => window.__test as { atClick: string; soon: string });
  const atEnd = await page.locator(".answer").evaluate((answer) => answer.textContent);
  expect(soon).toContain("Paragraph 5 with");
  expect(soon.startsWith(atClick)).toBe(true);
  expect(atEnd).toBe(soon);
  await page.reload();
  await expect(transcript(page).getByText("Stopped by you")).toBeVisible();
  expect(await page.locator(".answer").evaluate((answer) => answer.textContent)).toBe(soon);
});

test("a turn stopped before its first word leaves no empty answer, and the next one works", async ({
  page,
}) => {
  await openApp(page);
  await script(page, [{ wait: 20_000 }], [{ say: "Here I am." }]);
  await ask(page, "Wait");
  await expect(page.locator("[data-waiting]")).toBeVisible();
  await composer(page).press("Escape");
  await expect(transcript(page).getByText("Stopped by you")).toBeVisible();
  await expect(page.locator(".answer")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Copy answer" })).toHaveCount(0);
  await ask(page, "Again");
  await expect(transcript(page).getByText("Here I am.")).toBeVisible();
});

test("each way to end early is told, with a next step", async ({ page }) => {
  await openApp(page);
  await script(
    page,
    [{ say: "Half" }, { finish: { type: "limitReached", limit: "outputTokens", text: "Half" } }],
    [{ finish: { type: "limitReached", limit: "steps", text: "" } }],
    [{ finish: { type: "limitReached", limit: "repetition", text: "" } }],
    [{ fail: "contentFiltered" }],
    [{ fail: "streamCut" }],
    [{ say: "x" }, { finish: { type: "interrupted", text: "x" } }],
  );
  const told: [string, string][] = [
    ["longest length", "Continue"],
    ["as many steps", "Continue"],
    ["same result three times", "Tell it what to do instead"],
    ["blocked this answer", "Edit question"],
    ["broke off", "Try again"],
    ["ended in the middle", "Continue"],
  ];
  for (const [words, button] of told) {
    await ask(page, `Show ${words}`);
    const turn = transcript(page).getByRole("article", { name: `Show ${words}` });
    await expect(turn.getByText(words).last()).toBeVisible();
    await expect(turn.getByRole("button", { name: button })).toBeVisible();
  }
});

test("a send that fails keeps the question and says what to do", async ({ page }) => {
  await openApp(page);
  await core(page, (hook) => hook.fail("turn_send", "unreachable"), null);
  await ask(page, "Keep me");
  await expect(page.getByRole("log").getByText("Keep me", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(composer(page)).toHaveValue("Keep me");
});

test("a draft survives a reload and does not leak into another chat", async ({ page }) => {
  await openApp(page);
  await longChat(page, 2);
  await composer(page).fill("half a thought");
  await page.waitForTimeout(400);
  await page.reload();
  await expect(composer(page)).toHaveValue("half a thought");
  await page
    .getByRole("button", { name: /^New chat/ })
    .first()
    .click();
  await expect(composer(page)).toHaveValue("");
});

test("messages queue while an answer runs; they can be removed and sent now", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: LONG, perSecond: 60 }]);
  await ask(page, "Long one");
  await expect(transcript(page).getByText("Paragraph 0 with")).toBeVisible();
  await ask(page, "first extra");
  await ask(page, "second extra");
  const waiting = page.getByRole("list", { name: "Waiting messages" }).getByRole("listitem");
  await expect(waiting).toHaveCount(2);
  await waiting.first().getByRole("button", { name: "Send now" }).click();
  await expect(transcript(page).getByText("first extra", { exact: true })).toBeAttached();
  await waiting.getByRole("button", { name: "Remove this message" }).click();
  await expect(waiting).toHaveCount(0);
  await composer(page).fill("steer it");
  await composer(page).press("Control+Enter");
  await expect(transcript(page).getByText("steer it", { exact: true })).toBeAttached();
});

test("money is text, maths is drawn, hostile text stays text, nothing leaves", async ({ page }) => {
  const quiet = watchNetwork(page);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await openApp(page);
  await script(page, [
    {
      say: 'Costs $5 and $6, but $x^2$ and\n\n$$\\frac{1}{2}$$\n\n```mermaid\ngraph TD; A-->>>B[\n```\n\n<script>alert(1)</script> <img src=x onerror=alert(2)>\n\n[bad](javascript:alert(3)) ![leak](https://evil.example/p.png?q=1) [https://bank.example](https://evil.example)\n\n```mermaid\ngraph TD; A["<img src=x onerror=alert(4)>"] --> B\n```\n',
      perSecond: 4000,
    },
  ]);
  await ask(page, "Show me");
  const log = transcript(page);
  await expect(log.getByText("Costs $5 and $6")).toBeVisible();
  await expect(log.locator(".katex")).toHaveCount(2);
  await expect(log.getByText("This diagram could not be drawn.")).toBeVisible();
  await expect(log.locator(".diagram-failed figure pre")).toHaveText("graph TD; A-->>>B[");
  await expect(log.getByRole("img", { name: "Diagram" }).locator("svg")).toBeVisible();
  await expect(log.getByText("<script>alert(1)</script>")).toBeVisible();
  await expect(log.getByRole("button", { name: /Show the picture from evil.example/ })).toBeVisible();
  await expect(log.getByText("leads to evil.example")).toBeVisible();
  await log.getByText("leads to evil.example").click();
  expect(
    await core(
      page,
      (hook) => hook.calls.filter((call) => call.command === "link_open").map((call) => call.args[0]),
      null,
    ),
  ).toEqual(["https://evil.example/"]);
  expect(dialogs).toEqual([]);
  quiet();
});

test("an answer copies as Markdown and as HTML with a table", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openApp(page);
  const markdown = "| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = 1;\n```";
  await script(page, [{ say: markdown, perSecond: 2000 }]);
  await ask(page, "Table");
  await page.getByRole("button", { name: "Copy answer" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text();
    return { text: await read("text/plain"), html: await read("text/html") };
  });
  expect(copied.text).toBe(markdown);
  expect(copied.html).toContain("<table");
  expect(copied.html).toMatch(/<td[^>]*border:/);
});

test("each chat comes back where it was left", async ({ page }) => {
  await openApp(page);
  const first = await longChat(page, 60);
  await transcript(page).hover();
  await page.mouse.wheel(0, -2500);
  await page.waitForTimeout(500);
  const place = () =>
    page.evaluate(() => {
      const log = document.querySelector("[role=log]");
      const top = log?.getBoundingClientRect().top ?? 0;
      const rows = [...document.querySelectorAll<HTMLElement>("[data-turn]")];
      const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top);
      return { turn: row?.dataset.turn, top: (row?.getBoundingClientRect().top ?? 0) - top };
    });
  const before = await place();
  await longChat(page, 5);
  await page.evaluate((session) => {
    location.hash = `/c/${session}`;
  }, first);
  await expect.poll(async () => (await place()).turn).toBe(before.turn);
  await page.waitForTimeout(400);
  expect(Math.abs((await place()).top - before.top)).toBeLessThanOrEqual(2);
});

test("a search result opens at the turn where it was said, however far back", async ({ page }) => {
  await openApp(page);
  const id = await longChat(page, 200);
  const turn = await core(page, (hook, session) => hook.core.session(session).turns[16]?.turnId ?? "", id);
  await page.evaluate(
    ([session, goal]) => {
      location.hash = `/c/${session}?m=${goal}`;
    },
    [id, turn],
  );
  await expect(transcript(page).getByText("Question 17", { exact: true })).toBeInViewport();
});

test("a page that loses its channel ends with the same text, nothing doubled", async ({ page }) => {
  await openApp(page);
  await script(page, [
    { say: "I look first." },
    { tool: "list_dir", title: { doing: "Looking", done: "Looked" }, fact: "3 files" },
    { say: LONG.slice(0, 1200), perSecond: 400 },
  ]);
  await ask(page, "Tell me");
  for (const count of [1, 7, 3]) {
    await core(page, (hook, after) => hook.cutChannel(after), count);
    await page.waitForTimeout(250);
    await core(page, (hook) => hook.restoreChannel(), null);
  }
  await expect(page.getByRole("button", { name: "Copy answer" })).toBeVisible();
  await expect(transcript(page).locator("[aria-busy]")).toHaveCount(0);
  const live = await transcript(page).innerText();
  expect(live.match(/I look first/g)).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole("button", { name: "Copy answer" })).toBeVisible();
  expect(await transcript(page).innerText()).toBe(live);
});
