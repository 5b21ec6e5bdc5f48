import { expect, type Locator, type Page, test } from "@playwright/test";
import type { Script } from "../src/platform/scripted";
import { addChats, ask, composer, core, openApp, script, sidebar, transcript } from "./app";

const asking: Script = [
  {
    tool: "run_shell",
    title: { doing: "Counting files", done: "Counted files" },
    input: { command: "ls ~/Downloads | wc -l" },
    fact: "43",
    ask: {
      sentence: "Run a command in Downloads",
      preview: { type: "command", command: "ls ~/Downloads | wc -l", cwd: "~/Downloads" },
      undo: null,
    },
  },
  { say: "There are 43 files." },
];

function card(page: Page): Locator {
  return page.getByRole("region", { name: /Run a command in Downloads/ });
}

/** A card takes no answer for half a second after it appears. */
async function whenArmed(page: Page): Promise<void> {
  await expect(card(page)).toBeVisible();
  await page.waitForTimeout(700);
}

function sent(page: Page): Promise<number> {
  return core(page, (hook) => hook.calls.filter((call) => call.command === "approval_resolve").length, null);
}

test.beforeEach(async ({ page }) => {
  await openApp(page);
  await script(page, asking);
});

test("a call that changes after it was shown does not run, and is asked anew", async ({ page }) => {
  await ask(page, "How many?");
  await whenArmed(page);
  await core(page, (hook) => hook.tamper({ command: "rm -r ~/Downloads" }), null);
  await card(page).getByRole("button", { name: "Allow" }).click();
  await expect(
    page.getByText("The action changed after you saw it, so it did not run.").first(),
  ).toBeVisible();
  await expect(transcript(page).getByText("There are 43 files.")).toHaveCount(0);
  await card(page).getByRole("button", { name: "Exact arguments" }).click();
  await expect(card(page).getByText("rm -r ~/Downloads")).toBeVisible();
  await page.waitForTimeout(700);
  await card(page).getByRole("button", { name: "Allow" }).click();
  await expect(transcript(page).getByText("There are 43 files.")).toBeVisible();
});

test("a question survives leaving, a reload and a new process, and never comes back once answered", async ({
  page,
}) => {
  await addChats(page, "Recipes");
  await ask(page, "How many?");
  await expect(card(page)).toBeVisible();
  const yours = sidebar(page).getByRole("region", { name: "Your turn" });
  await sidebar(page).getByRole("link", { name: "Recipes" }).click();
  await expect(yours.getByRole("link")).toHaveCount(1);
  await expect(yours).toContainText("Run a command in Downloads");
  await page.keyboard.press("Control+j");
  await expect(card(page)).toBeVisible();
  await page.reload();
  await expect(card(page)).toBeVisible();
  await core(page, (hook) => hook.killCore(), null);
  await core(page, (hook) => hook.resumeCore(true), null);
  await whenArmed(page);
  await card(page).getByRole("button", { name: "Allow" }).click();
  await expect(transcript(page).getByText("There are 43 files.")).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await page.reload();
  await expect(transcript(page).getByText("There are 43 files.")).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await expect(yours).toHaveCount(0);
});

test("Enter in the composer sends and never approves", async ({ page }) => {
  await ask(page, "How many?");
  await whenArmed(page);
  await composer(page).fill("And how large?");
  await composer(page).press("Enter");
  await expect(page.getByText("And how large?")).toBeVisible();
  expect(await sent(page)).toBe(0);
  await expect(card(page)).toBeVisible();
});

test("a card that appears while the person types takes neither the focus nor the keys", async ({ page }) => {
  await ask(page, "How many?");
  await composer(page).pressSequentially("typing all the while ", { delay: 30 });
  await expect(card(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue("typing all the while ");
});

test("in its first half second a card takes no key and no click", async ({ page }) => {
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const section = document.querySelector<HTMLElement>("[data-approval]");
      if (!section) return;
      observer.disconnect();
      section.focus();
      for (const key of ["Enter", "Enter"]) {
        section.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
      for (const button of section.querySelectorAll("button")) {
        if (button.textContent?.startsWith("Allow")) button.click();
      }
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await ask(page, "How many?");
  await expect(card(page)).toBeVisible();
  await page.waitForTimeout(300);
  expect(await sent(page)).toBe(0);
  await page.waitForTimeout(500);
  await card(page).getByRole("button", { name: "Allow" }).click();
  await expect(transcript(page).getByText("There are 43 files.")).toBeVisible();
});

test("a declined call does not run, and the assistant hears why", async ({ page }) => {
  await ask(page, "How many?");
  await whenArmed(page);
  await card(page).getByRole("button", { name: "Don't" }).click();
  await page.getByRole("textbox", { name: /instead/i }).fill("Only look at the names");
  await page.keyboard.press("Enter");
  await expect(transcript(page).getByText("All right, I left it as it is.")).toBeVisible();
  const args = await core(
    page,
    (hook) => hook.calls.findLast((call) => call.command === "approval_resolve")?.args,
    null,
  );
  expect(JSON.stringify(args)).toContain("Only look at the names");
});

test("a question names its keys only while they would answer it", async ({ page }) => {
  await ask(page, "How many?");
  await whenArmed(page);
  const enter = card(page).locator("kbd", { hasText: "↵" });
  const esc = card(page).locator("kbd", { hasText: "Esc" });
  const stop = page.getByRole("button", { name: "Stop" }).locator("kbd");
  await composer(page).focus();
  await expect(enter).toBeHidden();
  await expect(esc).toBeHidden();
  await expect(stop).toBeVisible();
  await card(page).focus();
  await expect(enter).toBeVisible();
  await expect(esc).toBeVisible();
  await expect(stop).toBeHidden();
  await card(page).getByRole("button", { name: "Don't" }).focus();
  await expect(enter, "Enter would press the focused button").toBeHidden();
  await expect(esc).toBeVisible();
});
