import { mkdirSync, writeFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { ask, composer, core, openApp, script, transcript } from "./app";

/** Figures, not tests: they depend on the machine. `npm run bench:ui` prints them and keeps them as JSON. */
test.setTimeout(240_000);

const RESULTS = "test-results/bench-ui.json";
const figures: Record<string, unknown> = {};

function note(name: string, value: unknown): void {
  figures[name] = value;
  mkdirSync("test-results", { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`bench ${name} ${JSON.stringify(value)}`);
}

const CODE =
  "```ts\nexport function sum(values: readonly number[]): number {\n  // adds them up\n  return values.reduce((total, value) => total + value, 0);\n}\n```\n\n";
const TABLE =
  "| Step | x86 | ARM |\n|---|---:|---:|\n| Compile | 94 s | 118 s |\n| Link | 11 s | 289 s |\n\n";
const TEXT =
  "A paragraph with **bold** words, `code`, a [link](https://example.org) and $x_1^2$ in it. It goes on for a while, as answers do, and then it ends.\n\n- one point that is made\n- another one, with *emphasis*\n\n";

function answerOf(size: number): string {
  let text = "";
  for (let part = 1; text.length < size; part += 1) {
    text += `## Part ${part}\n\n${TEXT}${part % 3 === 0 ? CODE : ""}${part % 4 === 0 ? TABLE : ""}${TEXT}`;
  }
  return text.slice(0, size);
}

type Frames = { fps: number; p50: number; p95: number; p99: number; longestTask: number };

async function startWatching(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch = { frames: [] as number[], tasks: [] as number[], on: true };
    window.__test = watch;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) watch.tasks.push(entry.duration);
    }).observe({ type: "longtask" });
    let last = performance.now();
    const tick = (now: number) => {
      watch.frames.push(now - last);
      last = now;
      if (watch.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
}

async function stopWatching(page: Page): Promise<Frames> {
  return page.evaluate(() => {
    const watch = window.__test as { frames: number[]; tasks: number[]; on: boolean };
    watch.on = false;
    const sorted = watch.frames.slice(1).toSorted((a, b) => a - b);
    const at = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
    const seconds = sorted.reduce((sum, frame) => sum + frame, 0) / 1000;
    return {
      fps: Math.round((sorted.length / seconds) * 10) / 10,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      longestTask: Math.round(Math.max(0, ...watch.tasks)),
    };
  });
}

for (const perSecond of [100, 300]) {
  test(`a 24 kB answer at ${perSecond} tokens a second`, async ({ page }) => {
    await openApp(page);
    await page.waitForTimeout(3000);
    const size = 24_000;
    const first = size - 4000 * (perSecond / 100);
    const text = answerOf(size);
    await script(page, [
      { say: text.slice(0, first), perSecond: 20_000 },
      { say: text.slice(first), perSecond },
    ]);
    await ask(page, "Write a lot");
    await expect
      .poll(() =>
        page
          .locator(".answer")
          .innerText()
          .then(
            (shown) => shown.length,
            () => 0,
          ),
      )
      .toBeGreaterThan(first * 0.6);
    await page.waitForTimeout(1000);
    await startWatching(page);
    await page.waitForTimeout(8000);
    note(`stream${perSecond}`, await stopWatching(page));
  });
}

test("from an empty answer, the first code included", async ({ page }) => {
  await openApp(page);
  await page.waitForTimeout(3000);
  await script(page, [{ say: answerOf(6000), perSecond: 100 }]);
  await ask(page, "Write");
  await startWatching(page);
  await page.waitForTimeout(12_000);
  note("streamFromEmpty", await stopWatching(page));
});

test("typing while text streams", async ({ page }) => {
  await openApp(page);
  await page.waitForTimeout(3000);
  const text = answerOf(24_000);
  await script(page, [
    { say: text.slice(0, 16_000), perSecond: 20_000 },
    { say: text.slice(16_000), perSecond: 100 },
  ]);
  await ask(page, "Write a lot");
  await page.waitForTimeout(4000);
  await composer(page).focus();
  await page.evaluate(() => {
    const delays: number[] = [];
    window.__test = delays;
    document.addEventListener(
      "keydown",
      (event) => {
        const from = event.timeStamp;
        requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - from), 0));
      },
      true,
    );
  });
  const typed = "the quick brown fox jumps over the lazy dog ".repeat(4);
  await composer(page).pressSequentially(typed, { delay: 45 });
  const delays = await page.evaluate(() => (window.__test as number[]).toSorted((a, b) => a - b));
  const at = (part: number) => Math.round(delays[Math.floor(delays.length * part)] ?? 0);
  note("typing", {
    p50: at(0.5),
    p95: at(0.95),
    keys: delays.length,
    lost: (await composer(page).inputValue()) !== typed,
  });
});

test("opening a chat of 10,000 messages", async ({ page }) => {
  await openApp(page);
  const id = await core(
    page,
    (hook, samples) =>
      hook.addSession(
        "Ten thousand",
        Array.from({ length: 5000 }, (_, index) => ({
          question: `Question ${index + 1}: ${"why ".repeat(index % 12)}`,
          answer: index % 25 === 0 ? `${samples.text}${samples.code}` : samples.text.repeat(1 + (index % 3)),
        })),
      ),
    { text: TEXT, code: CODE },
  );
  await page.waitForTimeout(1500);
  const opened = await page.evaluate(async (session) => {
    const start = performance.now();
    location.hash = `/c/${session}`;
    const isThere = () => {
      const log = document.querySelector("[role=log]");
      const turns = [...(log?.querySelectorAll("[data-turn]") ?? [])];
      const box = log?.getBoundingClientRect();
      const last = turns.find((turn) => turn.textContent?.includes("Question 5000"));
      return box !== undefined && last !== undefined && last.getBoundingClientRect().top < box.bottom;
    };
    while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    return Math.round(performance.now() - start);
  }, id);
  const nodes = await transcript(page).evaluate((log) => log.querySelectorAll("*").length);
  note("open10000", { ms: opened, nodes });

  await transcript(page).hover();
  await startWatching(page);
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, -500);
    await page.waitForTimeout(50);
  }
  note("scroll10000", await stopWatching(page));
});
