import { expect, type Page, test } from "@playwright/test";
import { ask, core, longChat, openApp, script, transcript } from "./app";

const WORDS =
  "A paragraph with **bold** words, `code`, a [link](https://example.org) and $x_1^2$ in it. It goes on.\n\n- one point\n- another one, with *emphasis*\n\n";
const CODE =
  "```ts\nexport function sum(values: readonly number[]): number {\n  return values.reduce((total, value) => total + value, 0);\n}\n```\n\n";

/** 5,000 questions with their answers; 200 of these hold code. */
async function openTenThousand(page: Page): Promise<void> {
  const id = await core(
    page,
    (hook, samples) =>
      hook.addSession(
        "Ten thousand",
        Array.from({ length: 5000 }, (_, index) => ({
          question: `Question ${index + 1}`,
          answer: index % 25 === 24 ? `${samples.words}${samples.code}` : samples.words,
        })),
      ),
    { words: WORDS, code: CODE },
  );
  await page.evaluate((session) => {
    location.hash = `/c/${session}`;
  }, id);
}

function nodes(page: Page): Promise<number> {
  return transcript(page).evaluate((log) => log.querySelectorAll("*").length);
}

/** Gives the running turn pieces of text, and after each some frames to come into the page. */
async function stream(page: Page, pieces: readonly string[], frames: number): Promise<void> {
  await core(
    page,
    async (hook, { texts, pause }) => {
      const [session] = hook.core.state().sessions;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (const text of texts) {
        if (session?.running) hook.core.emit(session, session.running.turnId, { type: "textDelta", text });
        for (let count = 0; count < pause; count += 1) await frame();
      }
    },
    { texts: pieces, pause: frames },
  );
}

/** What each token changes in the whole page, on average: records of mutations and added nodes. */
async function costOf(page: Page, tokens: readonly string[]): Promise<{ records: number; added: number }> {
  await page.evaluate(() => {
    const seen = { records: 0, added: 0 };
    const observer = new MutationObserver((records) => {
      seen.records += records.length;
      for (const record of records) {
        for (const node of record.addedNodes) {
          seen.added += 1 + (node instanceof Element ? node.querySelectorAll("*").length : 0);
        }
      }
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    window.__test = { seen, observer };
  });
  await stream(page, tokens, 6);
  return page.evaluate((count) => {
    const { seen, observer } = window.__test as {
      seen: { records: number; added: number };
      observer: MutationObserver;
    };
    observer.disconnect();
    return { records: seen.records / count, added: seen.added / count };
  }, tokens.length);
}

test("10,000 messages open at their end, and few elements are in the page", async ({ page }) => {
  await openApp(page);
  await openTenThousand(page);
  const log = transcript(page);
  await expect(log.getByText("Question 5000", { exact: true })).toBeInViewport();
  await expect(log.locator("figure").last()).toBeInViewport();
  await expect
    .poll(() => log.evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop)))
    .toBeLessThanOrEqual(1);
  expect(await nodes(page)).toBeLessThan(1500);
});

test("a token costs as much after 20 kB of answer in such a chat as at its beginning", async ({ page }) => {
  await openApp(page);
  await openTenThousand(page);
  await expect(transcript(page).getByText("Question 5000", { exact: true })).toBeInViewport();
  await script(page, [{ wait: 3_600_000 }]);
  await ask(page, "Write a lot");
  await expect(page.locator("[data-waiting]")).toBeVisible();
  // The same words twice, each a token of its own, at the start of a paragraph both times.
  const tokens = "Words of **weight** and `code`, with $x^2$ in between and a few more of them to follow. "
    .repeat(3)
    .split(/(?<= )/);
  await stream(page, ["Well.\n\n"], 20);
  const first = await costOf(page, tokens);
  const more = Array.from({ length: 140 }, (_, index) => (index % 8 === 7 ? CODE : WORDS));
  await stream(page, ["\n\n", ...more], 2);
  const shown = await page
    .locator(".answer")
    .last()
    .evaluate((answer) => answer.textContent?.length ?? 0);
  expect(more.join("").length).toBeGreaterThan(20_000);
  expect(shown).toBeGreaterThan(10_000);
  await page.waitForTimeout(1_500);
  const later = await costOf(page, tokens);
  expect(first.records).toBeGreaterThan(0);
  expect(later.records).toBeLessThanOrEqual(2 * first.records);
  expect(later.added).toBeLessThanOrEqual(2 * Math.max(first.added, 1));
  const own = await transcript(page)
    .getByRole("article")
    .last()
    .evaluate((turn) => turn.querySelectorAll("*").length);
  expect((await nodes(page)) - own).toBeLessThan(1500);
});

/** Where the turn in the middle of the view is, as painted: how far from the top, and the number of its row. */
async function middleRow(page: Page): Promise<{ turn: string; top: number; index: number }> {
  return transcript(page).evaluate((log) => {
    const { top, height } = log.getBoundingClientRect();
    const rows = [...log.querySelectorAll<HTMLElement>("[data-index]")];
    const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top + height / 2);
    return {
      turn: row?.dataset.key ?? "none",
      top: row ? row.getBoundingClientRect().top - top : Number.NaN,
      index: Number(row?.dataset.index),
    };
  });
}

/** Notes for each frame, after it was painted, where a row is: infinitely far when it left the page. */
async function watchRow(page: Page, turn: string): Promise<() => Promise<{ tops: number[]; index: number }>> {
  await transcript(page).evaluate((log, key) => {
    const watch = { tops: [] as number[], index: -1, on: true };
    window.__test = watch;
    const note = () => {
      const row = log.querySelector<HTMLElement>(`[data-key="${key}"]`);
      const top = row?.isConnected ? row.getBoundingClientRect().top : Number.POSITIVE_INFINITY;
      watch.tops.push(top - log.getBoundingClientRect().top);
      watch.index = Number(row?.dataset.index ?? -1);
      if (watch.on) requestAnimationFrame(() => setTimeout(note));
    };
    note();
  }, turn);
  return () =>
    page.evaluate(() => {
      const watch = window.__test as { tops: number[]; index: number; on: boolean };
      watch.on = false;
      return { tops: watch.tops, index: watch.index };
    });
}

function pagesAsked(page: Page): Promise<number> {
  return core(page, (hook) => hook.calls.filter((call) => call.command === "session_open").length, null);
}

test("older turns load without moving the row in view", async ({ page }) => {
  await openApp(page);
  await longChat(page, 200);
  await transcript(page).hover();
  for (const round of [1, 2, 3]) {
    await core(page, (hook) => hook.hold("session_open"), null);
    const asked = await pagesAsked(page);
    while ((await pagesAsked(page)) === asked) {
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(60);
    }
    // Held back, so that what is on screen now is what it was before.
    await page.waitForTimeout(300);
    const before = await middleRow(page);
    const stop = await watchRow(page, before.turn);
    await core(page, (hook) => hook.release("session_open"), null);
    await expect
      .poll(async () => (await middleRow(page)).index, `page ${round} came`)
      .toBe(before.index + 40);
    await page.waitForTimeout(300);
    const { tops, index } = await stop();
    expect(index).toBe(before.index + 40);
    expect(tops.length).toBeGreaterThan(5);
    expect(Math.max(...tops.map((top) => Math.abs(top - before.top)))).toBeLessThanOrEqual(1);
  }
});

test("Home goes to the first turn of a long chat, and few elements are in the page", async ({ page }) => {
  await openApp(page);
  await longChat(page, 300);
  await transcript(page).focus();
  await page.keyboard.press("Home");
  await expect(transcript(page).getByText("Question 1", { exact: true })).toBeInViewport();
  expect(await transcript(page).evaluate((log) => log.querySelectorAll("*").length)).toBeLessThan(1500);
  await page.keyboard.press("End");
  await expect(transcript(page).getByText("Question 300", { exact: true })).toBeInViewport();
});
