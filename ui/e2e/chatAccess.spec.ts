import { expect, test } from "@playwright/test";
import { ask, composer, openApp, problems, script, transcript } from "./app";

const answer =
  "# Heading\n\nText with `code`, [a link](https://example.org) and $x^2$.\n\n| a | n |\n|---|---|\n| x | 1 |\n\n- [x] done\n\n```ts\nlet x = 1;\n```\n\n![chart](https://evil.example/p.png)\n";

for (const colorScheme of ["light", "dark"] as const) {
  test(`a chat with everything in it has no violations, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await openApp(page);
    expect(await problems(page)).toEqual([]);
    await script(page, [
      { think: "Hm." },
      { tool: "read_file", title: { doing: "Reading", done: "Read notes.txt" }, fact: "3 lines" },
      { say: answer, perSecond: 4000 },
      {
        tool: "edit_file",
        title: { doing: "Editing notes.md", done: "Edited notes.md" },
        ask: {
          sentence: "Change notes.md",
          undo: "Can be undone for 30 days",
          preview: { type: "diff", path: "/home/a/notes.md", diff: "@@ -1 +1 @@\n-old\n+new\n" },
        },
      },
      { fail: "keyRefused" },
    ]);
    await ask(page, "Show me");
    await expect(page.getByRole("region", { name: "Your turn: Change notes.md" })).toBeVisible();
    await transcript(page)
      .getByRole("button", { name: /Read notes.txt/ })
      .click();
    await page.waitForTimeout(700);
    expect(await problems(page)).toEqual([]);
    await page.getByRole("button", { name: "Latest" }).click();
    await page.getByRole("button", { name: /^Don't/ }).click();
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(transcript(page).getByText("You said no.")).toBeVisible();
    expect(await problems(page)).toEqual([]);
  });
}

test("tokens are in no live region; one announcement tells that the answer is ready", async ({ page }) => {
  await openApp(page);
  await expect(composer(page)).toBeFocused();
  await page.evaluate(() => {
    const heard: string[] = [];
    window.__test = heard;
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
      if (region.getAttribute("aria-live") === "off") continue;
      new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    }
  });
  await script(page, [{ say: "Twelve small words that nobody wants to hear one by one, please." }]);
  await ask(page, "Speak");
  await expect(page.getByRole("button", { name: "Copy answer" })).toBeVisible();
  const heard = await page.evaluate(() => window.__test as string[]);
  expect(heard.filter((text) => text.startsWith("Answer ready"))).toHaveLength(1);
  expect(heard.filter((text) => text.includes("nobody"))).toEqual([]);
});
