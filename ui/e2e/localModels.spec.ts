import { expect, type Page, test } from "@playwright/test";
import { core, openApp, problems, script, transcript, watchNetwork } from "./app";

async function hold(page: Page): Promise<void> {
  await core(page, (hook) => hook.hold("local_install"), null);
}

async function tellHalf(page: Page): Promise<void> {
  const half = { type: "downloading", doneBytes: 1_248_640_128, totalBytes: 2_497_280_256 } as const;
  await core(page, (hook, progress) => hook.tellInstall("qwen3-4b", progress), half);
}

/** The section with one installation of each kind: running, stopped and failed. */
async function openInstalling(page: Page): Promise<void> {
  await openApp(page, { path: "/settings/providers" });
  const hint = "Free some space, or choose a smaller model.";
  const message = "`house-7b` needs 4.7 GB on the disk, and 1.0 GB are free";
  const error = { code: "storageUnavailable", message, hint, retryAfterMs: null } as const;
  await core(page, (hook, failure) => hook.fail("local_install", failure), error);
  await page.getByRole("button", { name: "Install House 7B" }).click();
  await expect(page.getByRole("alert").filter({ hasText: message })).toBeVisible();
  await hold(page);
  await page.getByRole("button", { name: "Install Qwen2.5 1.5B" }).click();
  await page.getByRole("button", { name: "Stop installing Qwen2.5 1.5B" }).click();
  await expect(page.getByText(/What has arrived is kept/)).toBeVisible();
  await page.getByRole("button", { name: "Install Qwen3 4B" }).click();
  await tellHalf(page);
  await expect(page.getByText("1.2 GB of 2.5 GB (50 %)")).toBeVisible();
}

/** Nothing is here that could run a model. */
async function openEmpty(page: Page): Promise<void> {
  await openApp(page, { firstRun: true });
  await core(
    page,
    (hook) =>
      hook.setLocalModels({
        ways: [
          { keeper: "ollama", isThere: false, note: "Ollama does not run at http://127.0.0.1:11434" },
          { keeper: "lmStudio", isThere: false, note: "LM Studio does not run at http://127.0.0.1:1234" },
          {
            keeper: "managed",
            isThere: false,
            note: "Install llama.cpp or name its `llama-server` in `local_model.server`; or install Ollama.",
          },
        ],
      }),
    null,
  );
  await page.getByRole("button", { name: "Show models" }).click();
  await expect(page.getByText("Nothing here can run a model yet.")).toBeVisible();
}

async function openQuestion(page: Page): Promise<void> {
  await openApp(page, { path: "/settings/providers" });
  await page.getByRole("button", { name: "Remove poems" }).click();
  await expect(page.getByRole("dialog", { name: "Remove poems?" })).toBeVisible();
}

test("a first start without a server or a key: a model is fetched and answers", async ({ page }) => {
  const quiet = watchNetwork(page);
  await openApp(page, { firstRun: true });
  await hold(page);
  await page.getByRole("button", { name: "Show models" }).click();
  await page.getByRole("button", { name: "Install Qwen3 4B" }).click();
  await tellHalf(page);
  const bar = page.getByRole("progressbar", { name: "Installing Qwen3 4B" });
  await expect(bar).toHaveAttribute("aria-valuenow", "50");
  await core(page, (hook) => hook.release("local_install"), null);
  await expect(page.getByRole("button", { name: "Use Qwen3 4B" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Ready. Ask something." })).toBeFocused();
  await expect(page.getByText("The model on this computer answers with qwen3-4b.")).toBeVisible();
  await script(page, [{ say: "Two disk images." }]);
  await page.getByRole("button", { name: /What is taking space/ }).click();
  await expect(transcript(page).getByText("Two disk images.")).toBeVisible();
  quiet();
});

test("an installation goes on while another page is shown", async ({ page }) => {
  await openApp(page, { path: "/settings/providers" });
  await hold(page);
  await page.getByRole("button", { name: "Install Qwen3 4B" }).click();
  await page.getByRole("link", { name: "General", exact: true }).click();
  await expect(page.getByRole("heading", { name: "General" })).toBeVisible();
  await tellHalf(page);
  await page.getByRole("link", { name: "Providers", exact: true }).click();
  await expect(page.getByText("1.2 GB of 2.5 GB (50 %)")).toBeVisible();
  await page.getByRole("button", { name: "Stop installing Qwen3 4B" }).click();
  await expect(page.getByRole("button", { name: "Go on installing Qwen3 4B" })).toBeFocused();
});

test("a model that is used answers first, and what answered before stays", async ({ page }) => {
  await openApp(page, { path: "/settings/providers" });
  await page.getByRole("button", { name: "Use poems" }).click();
  await expect(page.getByText("The model on this computer answers with poems. What you write")).toBeVisible();
  const order = page.getByRole("list", { name: "Connections" }).getByRole("heading");
  await expect(order).toHaveText([/^the model on this computer/, /^Ollama/]);
  await expect(page.getByRole("button", { name: "Use qwen3:14b" })).toBeVisible();
});

test("a removed model leaves the focus in the section", async ({ page }) => {
  await openQuestion(page);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("poems is out of the list; its file stays", { exact: true })).toBeVisible();
  await expect(page.getByRole("listitem", { name: "poems" })).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Installed", exact: true })).toBeFocused();
});

const views = [
  ["installations", openInstalling],
  ["a computer that runs no model", openEmpty],
  ["the question before removing", openQuestion],
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  for (const [name, open] of views) {
    test(`axe finds nothing in ${name}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // Some rules look at nothing that is scrolled away.
      await page.setViewportSize({ width: 1180, height: 2600 });
      await open(page);
      expect(await problems(page)).toEqual([]);
    });
  }
}

// 200 % of zoom in a window of 1180 × 780 leaves half of both.
for (const [size, viewport] of [
  ["320 px", { width: 320, height: 640 }],
  ["200 %", { width: 590, height: 390 }],
] as const) {
  for (const [name, open] of views) {
    test(`nothing is cut off in ${name} at ${size}`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await open(page);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll("main *, [role=dialog] *")]
          .filter((element) => element.closest(".sr-only") === null)
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
          .map((element) => element.outerHTML.slice(0, 160)),
      );
      expect(wide).toEqual([]);
    });
  }
}
