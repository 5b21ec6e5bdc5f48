import { expect, type Page, test } from "@playwright/test";
import type { Script } from "../src/platform/scripted";
import { ask, core, openApp, script, transcript } from "./app";

const turn: Script = [
  { say: "I look in two places.", perSecond: 300 },
  { tool: "list_dir", fact: "3 entries", ms: 20 },
  { tool: "run_shell", progress: ["one\n", "two\n"], ms: 20 },
  { say: "First half, ", perSecond: 300 },
  { restart: true },
  { say: "A whole answer with **bold**, `code` and an end.", perSecond: 300 },
];

/** What a person sees of the finished turn. */
async function seen(page: Page): Promise<string> {
  await expect(transcript(page).getByText("and an end.")).toBeVisible();
  await expect
    .poll(() =>
      core(page, (hook) => hook.core.state().sessions.every((session) => session.running === null), null),
    )
    .toBe(true);
  await page.waitForTimeout(150);
  return transcript(page).innerText();
}

test("a channel cut at any event and joined again ends in the same page", async ({ page }) => {
  test.setTimeout(240_000);
  await openApp(page);
  await script(page, turn);
  await ask(page, "Look");
  const whole = await seen(page);
  expect(whole.match(/and an end\./g)).toHaveLength(1);

  for (let cut = 0; cut <= 24; cut++) {
    await page.keyboard.press("Control+n");
    await script(page, turn);
    await core(page, (hook, count) => hook.cutChannel(count), cut);
    await ask(page, "Look");
    await page.waitForTimeout(40 * cut);
    await core(page, (hook) => hook.restoreChannel(), null);
    expect(await seen(page), `cut after ${cut} events`).toBe(whole);
  }
});

test("when the core dies in the middle, a line says so, and the answer goes on by itself", async ({
  page,
}) => {
  await openApp(page);
  const answer = Array.from({ length: 40 }, (_, n) => `Sentence number ${n}.`).join(" ");
  await script(page, [{ say: answer, perSecond: 80 }]);
  await ask(page, "Tell me");
  await expect(transcript(page).getByText("Sentence number 3.")).toBeVisible();
  await core(page, (hook) => hook.killCore(), null);
  await expect(page.getByText("Restarting the assistant… your chat is safe.")).toBeVisible({
    timeout: 1_000,
  });
  await core(page, (hook) => hook.resumeCore(true), null);
  await expect(page.getByText("Restarting the assistant…")).toHaveCount(0);
  await expect(transcript(page).getByText("Sentence number 39.")).toBeVisible();
  const text = (await transcript(page).innerText()).replace(/\s+/g, " ");
  for (let n = 0; n < 40; n++) expect(text.split(`Sentence number ${n}.`)).toHaveLength(2);
});

test("a turn that a crash ended says so and keeps what had arrived", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: "One two three four five six seven. ".repeat(30), perSecond: 60 }]);
  await ask(page, "Tell me");
  await expect(transcript(page).getByText("One two three").first()).toBeVisible();
  await core(page, (hook) => hook.killCore(), null);
  await core(page, (hook) => hook.resumeCore(false), null);
  await expect(transcript(page).getByText("The program ended in the middle of this.")).toBeVisible();
  await expect(transcript(page).getByText("One two three").first()).toBeVisible();
});

test("a reload in the middle of an answer loses nothing", async ({ page }) => {
  await openApp(page);
  const answer = Array.from({ length: 30 }, (_, n) => `Sentence number ${n}.`).join(" ");
  await script(page, [{ say: answer, perSecond: 60 }]);
  await ask(page, "Tell me");
  await expect(transcript(page).getByText("Sentence number 3.")).toBeVisible();
  await page.reload();
  await expect(transcript(page).getByText("Sentence number 29.")).toBeVisible();
  const text = (await transcript(page).innerText()).replace(/\s+/g, " ");
  for (let n = 0; n < 30; n++) expect(text.split(`Sentence number ${n}.`)).toHaveLength(2);
});
