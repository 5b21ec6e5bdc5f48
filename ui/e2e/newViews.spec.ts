import { expect, type Page, test } from "@playwright/test";
import { ask, core, openApp, problems, script, transcript } from "./app";
import { home, spare, usageUntil, work } from "./connections";

/** What sticks out of the window, or of its box without a way to scroll there. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inView = (element: Element) => element.getBoundingClientRect().width > 0;
    const scrolls = (element: Element) => element.closest("[class*=overflow-x-auto], .sr-only") !== null;
    const wide = [...document.querySelectorAll("main *, [role=dialog] *")].filter(
      (element) =>
        inView(element) && !scrolls(element) && element.getBoundingClientRect().right > window.innerWidth + 1,
    );
    return wide.map((element) => element.outerHTML.slice(0, 160));
  });
}

async function furnish(page: Page): Promise<void> {
  const problem = { code: "serverFailed", message: "ask", hint: null, retryAfterMs: null } as const;
  const restsUntil = Date.now() + 600_000;
  await core(
    page,
    (hook, { connections, usage }) => {
      hook.setConnections(connections);
      hook.setUsage(usage);
    },
    { connections: [home, { ...work, problem, restsUntil }, spare], usage: usageUntil(Date.now()) },
  );
}

/** The providers with everything open that can be. */
async function openProviders(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = "/settings/providers";
  });
  await page.getByRole("button", { name: "Test Ollama, home" }).click();
  await expect(page.getByText("Works.")).toBeVisible();
  await page.getByRole("button", { name: "Change model of Ollama, home" }).click();
  await page.getByRole("button", { name: "Key and address of Anthropic, spare" }).click();
  await page.getByRole("button", { name: "Add another connection" }).click();
  await page.getByRole("button", { name: "Advanced" }).last().click();
}

async function openMoney(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = "/settings/models";
  });
  await page.getByRole("textbox", { name: "For a day" }).fill("lots");
  await page.keyboard.press("Tab");
  await expect(page.getByText("$0.41 today")).toBeVisible();
}

/** A chat with a change of models, a cost, a meter and a limit. */
async function openChat(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = "/";
  });
  await script(page, [
    { context: 150_000, window: 200_000 },
    { continueWith: "qwen3:14b", label: "Ollama", reasons: ["Anthropic isn't answering."] },
    { say: "Half of it is done." },
    {
      usage: {
        inputTokens: 12_400,
        outputTokens: 900,
        cachedTokens: 512,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
      costMicros: 402_000,
    },
    { notice: "spending", text: "the limit of $0.40 for a day is reached" },
    { finish: { type: "limitReached", limit: "spending", text: "" } },
  ]);
  await ask(page, "Move the bills");
  await expect(transcript(page).getByRole("button", { name: "Go on anyway" })).toBeVisible();
}

const views = [
  ["providers", openProviders],
  ["models and money", openMoney],
  ["a chat at a limit", openChat],
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  for (const [name, open] of views) {
    test(`axe finds nothing in ${name}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // Some rules look at nothing that is scrolled away.
      await page.setViewportSize({ width: 1180, height: 2600 });
      await openApp(page);
      await furnish(page);
      await open(page);
      expect(await problems(page)).toEqual([]);
    });
  }

  test(`axe finds nothing in the pickers and the question before removing, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await openApp(page);
    await furnish(page);
    await page.getByRole("button", { name: /^Model: / }).click();
    await expect(page.getByRole("option", { name: "llama3.3" })).toBeVisible();
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Thinking: / }).click();
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      location.hash = "/settings/providers";
    });
    await page.getByRole("button", { name: "Remove Ollama, home" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await problems(page)).toEqual([]);
  });
}

// 200 % of zoom in a window of 1180 × 780 leaves half of both.
for (const [size, viewport] of [
  ["320 px", { width: 320, height: 640 }],
  ["200 %", { width: 590, height: 390 }],
] as const) {
  for (const [name, open] of views) {
    test(`nothing is cut off in ${name} at ${size}`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await openApp(page);
      await furnish(page);
      await open(page);
      expect(await cutOff(page)).toEqual([]);
    });
  }

  test(`nothing of the picker is cut off at ${size}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await openApp(page);
    await furnish(page);
    await page.getByRole("button", { name: /^Model: / }).click();
    await expect(page.getByRole("option", { name: "llama3.3" })).toBeVisible();
    expect(await cutOff(page)).toEqual([]);
  });
}

/** Pairs of controls of the composer that lie over each other, or stick out of its box. */
function crowded(page: Page): Promise<string[]> {
  return page.getByRole("form", { name: "Message" }).evaluate((form) => {
    const buttons = [...form.querySelectorAll("button")];
    const nameOf = (button: Element) => button.getAttribute("aria-label") ?? button.textContent ?? "";
    const box = form.querySelector(".composer-box")?.getBoundingClientRect();
    const out = buttons.filter(
      (button) =>
        button.scrollWidth > button.clientWidth + 1 ||
        button.getBoundingClientRect().right > (box?.right ?? 0),
    );
    const over = buttons.flatMap((one, index) =>
      buttons.slice(index + 1).filter((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      }),
    );
    return [...out, ...over].map(nameOf);
  });
}

test("the controls of the composer find room at 320 px, also while it answers", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openApp(page);
  await furnish(page);
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("option", { name: "claude-sonnet-4-5" }).first().click();
  await page.getByRole("button", { name: /^Thinking: / }).click();
  await page.getByRole("menuitemradio", { name: "Medium", exact: true }).click();
  expect(await crowded(page)).toEqual([]);
  await script(page, [{ say: "Slowly, slowly. ".repeat(40), perSecond: 30 }]);
  await ask(page, "Take your time");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Thinking: Medium" })).toBeVisible();
  expect(await crowded(page)).toEqual([]);
});
