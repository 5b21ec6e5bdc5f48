import { expect, type Locator, type Page, test } from "@playwright/test";
import type { ApprovalRequest } from "../src/protocol/bindings";
import { ask, composer, core, openApp, script, transcript } from "./app";

const title = { doing: "Running a command", done: "Ran a command" };

async function askFor(
  page: Page,
  request: Partial<ApprovalRequest>,
  input: object = { command: "ls" },
): Promise<Locator> {
  await script(page, [
    {
      tool: "run_shell",
      title,
      input: JSON.parse(JSON.stringify(input)),
      fact: "3 lines",
      ask: { sentence: "Run a command", ...request },
    },
    { say: "It is done." },
  ]);
  await ask(page, "Do it");
  const card = page.getByRole("region", { name: "Your turn: Run a command" });
  await expect(card).toBeVisible();
  return card;
}

function resolutions(page: Page): Promise<unknown[]> {
  return core(
    page,
    (hook) => hook.calls.filter((call) => call.command === "approval_resolve").map((call) => call.args[0]),
    null,
  );
}

test("a long command shows whole, and the exact arguments with it", async ({ page }) => {
  await openApp(page);
  const command = `echo ${"word_".repeat(600)}end`;
  const card = await askFor(page, { preview: { type: "command", command, cwd: "/home/anita" } }, { command });
  const shown = card.locator("pre").first();
  await expect(shown).toHaveText(command);
  expect(await shown.evaluate((pre) => pre.scrollWidth <= pre.clientWidth)).toBe(true);
  await expect(card.getByText("Cannot be undone")).toBeVisible();
  await card.getByRole("button", { name: "Exact arguments" }).click();
  await expect(card.getByRole("region", { name: "Exact arguments of run_shell" })).toHaveText(
    JSON.stringify({ command }, null, 2),
  );
});

test("forty kilobytes of arguments are whole and scroll", async ({ page }) => {
  await openApp(page);
  const input = { text: "0123456789".repeat(4000) };
  const card = await askFor(page, { preview: { type: "none" } }, input);
  const box = card.getByRole("region", { name: "Exact arguments of run_shell" });
  expect((await box.innerText()).replace(/\s/g, "")).toBe(JSON.stringify(input));
  expect(await box.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  await expect(card.getByRole("button", { name: /^Allow/ })).toBeInViewport();
});

test("for its first half second keys and clicks on a card do nothing", async ({ page }) => {
  await openApp(page);
  const card = await askFor(page, {});
  await card.evaluate((element) => {
    const allow = [...element.querySelectorAll("button")].find((button) =>
      button.textContent?.startsWith("Allow"),
    );
    allow?.click();
    element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  });
  await page.waitForTimeout(700);
  expect(await resolutions(page)).toEqual([]);
  await card.getByRole("button", { name: /^Allow/ }).click();
  await expect(transcript(page).getByText("You allowed this once.")).toBeVisible();
  await expect(transcript(page).getByText("It is done.")).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(transcript(page).getByText("You allowed this once.")).toBeVisible();
  await expect(card).toHaveCount(0);
});

/** The order of things in a window so low that a card does not come into view by itself. */
async function askBelowTheFold(page: Page, request: Partial<ApprovalRequest>): Promise<Locator> {
  await page.setViewportSize({ width: 900, height: 560 });
  await openApp(page);
  await script(page, [
    { say: Array.from({ length: 30 }, (_, line) => `Line ${line} of a long way down.`).join("\n\n") },
    { wait: 1_500 },
    { tool: "run_shell", title, ask: { sentence: "Run a command", ...request } },
    { say: "It is done." },
  ]);
  await ask(page, "Do it");
  await expect(transcript(page).getByText("Line 8 of")).toBeVisible();
  await transcript(page).hover();
  await page.mouse.wheel(0, -300);
  const card = page.getByRole("region", { name: "Your turn: Run a command" });
  await expect(card).toBeAttached({ timeout: 30_000 });
  await expect(card).not.toBeInViewport();
  return card;
}

/** Scrolls until this much of the card is above the lower end of the log. */
async function reveal(card: Locator, share: number): Promise<void> {
  await card.evaluate((element, part) => {
    const log = element.closest<HTMLElement>("[role=log]");
    if (!log) return;
    const { top, height } = element.getBoundingClientRect();
    log.scrollTop += top + height * part - log.getBoundingClientRect().bottom;
  }, share);
}

/** All that could answer: the buttons, and the keys of the card. */
async function tryToAnswer(card: Locator): Promise<void> {
  await card.evaluate((element) => {
    for (const button of element.querySelectorAll("button")) {
      if (/^(Allow|Don't)/.test(button.textContent ?? "")) button.click();
    }
    for (const key of ["Enter", "Escape"]) {
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
  });
}

test("a card out of view takes no answer until the whole of it was on screen for half a second", async ({
  page,
}) => {
  const card = await askBelowTheFold(page, {
    preview: { type: "command", command: "ls -l\n".repeat(4), cwd: "/home/anita" },
  });
  const allow = card.getByRole("button", { name: /^Allow/ });
  await page.waitForTimeout(1_200);
  await expect(allow).toHaveAttribute("aria-disabled", "true");
  await tryToAnswer(card);

  // The first of its buttons is in view, its last line is not.
  await reveal(card, 0.95);
  await expect(allow).toBeInViewport();
  await page.waitForTimeout(1_200);
  await expect(allow).toHaveAttribute("aria-disabled", "true");
  await tryToAnswer(card);
  expect(await resolutions(page)).toEqual([]);
  await expect(card.getByRole("textbox")).toHaveCount(0);

  await reveal(card, 1.05);
  await tryToAnswer(card);
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  expect(await resolutions(page)).toEqual([]);
  await allow.click();
  await expect(transcript(page).getByText("You allowed this once.")).toBeVisible();
});

test("a card higher than the view takes no answer until its beginning was on screen, too", async ({
  page,
}) => {
  const card = await askBelowTheFold(page, {
    preview: { type: "command", command: "ls -l\n".repeat(60), cwd: "/home/anita" },
  });
  const allow = card.getByRole("button", { name: /^Allow/ });
  await page.getByRole("button", { name: "Latest" }).click();
  await expect(allow).toBeInViewport();
  const show = card.getByRole("button", { name: "Show its beginning first" });
  await expect(show).toBeVisible();
  await expect(allow).toHaveAttribute("aria-disabled", "true");
  await tryToAnswer(card);
  expect(await resolutions(page)).toEqual([]);
  await show.click();
  await expect(card.getByRole("heading", { name: "Run a command" })).toBeInViewport();
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  await allow.click();
  await expect(transcript(page).getByText("You allowed this once.")).toBeVisible();
});

test("Enter in the composer never approves, and a card does not steal the focus from typing", async ({
  page,
}) => {
  await openApp(page);
  await script(page, [
    { wait: 600 },
    { tool: "run_shell", title, ask: { sentence: "Run a command" } },
    { say: "It is done." },
  ]);
  await ask(page, "Do it");
  await composer(page).pressSequentially("typing on and on", { delay: 80 });
  await expect(page.getByRole("region", { name: "Your turn: Run a command" })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.waitForTimeout(800);
  await composer(page).press("Enter");
  await page.waitForTimeout(200);
  expect(await resolutions(page)).toEqual([]);
  await expect(page.getByRole("list", { name: "Waiting messages" })).toContainText("typing on and on");
});

test("a card takes the focus when nobody types; keys choose the scope and allow", async ({ page }) => {
  await openApp(page);
  await script(page, [
    { wait: 1300 },
    { tool: "run_shell", title, ask: { sentence: "Run a command" } },
    { say: "It is done." },
  ]);
  await ask(page, "Do it");
  const card = page.getByRole("region", { name: "Your turn: Run a command" });
  await expect(card).toBeFocused();
  await page.waitForTimeout(600);
  await page.keyboard.press("2");
  await expect(card.getByRole("radio", { name: "in this chat" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(transcript(page).getByText("You allowed this in this chat.")).toBeVisible();
  await expect(composer(page)).toBeFocused();
});

test("a scope that is not offered cannot be chosen", async ({ page }) => {
  await openApp(page);
  const card = await askFor(page, { scopes: ["once"] });
  await expect(card.getByText("this once")).toBeVisible();
  await expect(card.getByRole("radio")).toHaveCount(0);
});

test("Don't takes a word on what to do instead", async ({ page }) => {
  await openApp(page);
  const card = await askFor(page, {});
  await page.waitForTimeout(600);
  await card.getByRole("button", { name: /^Don't/ }).click();
  await page.keyboard.type("use the other folder");
  await page.keyboard.press("Enter");
  await expect(transcript(page).getByText("You said no: “use the other folder”")).toBeVisible();
  expect(await resolutions(page)).toMatchObject([
    { decision: { type: "decline", note: "use the other folder" } },
  ]);
});

test("an action that changed after it was shown does not run: it is asked anew", async ({ page }) => {
  await openApp(page);
  const card = await askFor(page, {}, { command: "ls" });
  await core(page, (hook) => hook.tamper({ command: "lz" }), null);
  await page.waitForTimeout(600);
  await card.getByRole("button", { name: /^Allow/ }).click();
  await expect(card.getByText("The action changed after you saw it, so it did not run.")).toBeVisible();
  await expect(transcript(page).getByText("It is done.")).toHaveCount(0);
  await expect(card.getByRole("region", { name: /Exact arguments/ })).toContainText('"lz"');
  await page.waitForTimeout(600);
  await card.getByRole("button", { name: /^Allow/ }).click();
  await expect(transcript(page).getByText("It is done.")).toBeVisible();
  const [first, second] = (await resolutions(page)) as { payloadHash: string }[];
  expect(first?.payloadHash).not.toBe(second?.payloadHash);
});

test("a question waits through a reload and through leaving the chat", async ({ page }) => {
  await openApp(page);
  const card = await askFor(page, {});
  await page.reload();
  await expect(card).toBeVisible();
  await page
    .getByRole("button", { name: /^New chat/ })
    .first()
    .click();
  await expect(card).toHaveCount(0);
  await page.goBack();
  await expect(card).toBeVisible();
});

test("Stop withdraws the question", async ({ page }) => {
  await openApp(page);
  const card = await askFor(page, {});
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expect(card).toHaveCount(0);
  await expect(transcript(page).getByText("Stopped by you")).toBeVisible();
});
