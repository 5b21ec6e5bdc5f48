import { expect, test } from "@playwright/test";
import { composer, core, openApp, script, transcript, watchNetwork } from "./app";

const ollama = {
  kind: "ollama",
  label: "Ollama",
  baseUrl: "http://127.0.0.1:11434/v1",
  models: ["qwen3:14b", "llama3.3"],
  keyEnv: null,
} as const;

test("a server that runs here answers the first question within three clicks", async ({ page }) => {
  const quiet = watchNetwork(page);
  await openApp(page, { firstRun: true, found: [{ ...ollama, models: [...ollama.models] }] });
  await expect(page.getByRole("heading", { name: "Which model shall answer?" })).toBeVisible();
  await expect(page.getByText("2 models, on this computer; qwen3:14b suggested")).toBeVisible();
  await page.getByRole("button", { name: "Use Ollama" }).click();
  await expect(page.getByRole("heading", { name: "Ready. Ask something." })).toBeFocused();
  await script(page, [{ say: "Two disk images." }]);
  await page.getByRole("button", { name: /What is taking space/ }).click();
  await expect(transcript(page).getByText("Two disk images.")).toBeVisible();
  quiet();
});

test("a wrong key is named as such, nothing is kept, and a right one goes on", async ({ page }) => {
  await openApp(page, { firstRun: true });
  const key = page.getByLabel("Key", { exact: true });
  await key.fill("sk-or-wrong");
  await expect(page.getByLabel("Service")).toHaveValue("OpenRouter");
  await page.getByRole("button", { name: "Test and use" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "OpenRouter refused the key (401)." }),
  ).toBeVisible();
  await expect(key).toBeFocused();
  expect(await core(page, (hook) => hook.core.state().provider.ready, null)).toBe(false);
  await key.fill("sk-or-good");
  await page.getByRole("button", { name: "Test and use" }).click();
  await expect(page.getByText("openrouter.ai answers with")).toBeVisible();
});

for (const [name, fields, words] of [
  ["no credit", { key: "sk-or-empty" }, "The OpenRouter account is out of credit."],
  ["no such model", { key: "sk-or-ok", model: "missing" }, "This account has no “missing”."],
  ["nothing there", { key: "x", address: "http://127.0.0.1:9/v1" }, "Can't reach 127.0.0.1:9."],
] as const) {
  test(`a failed test says what failed: ${name}`, async ({ page }) => {
    await openApp(page, { firstRun: true });
    await page.getByLabel("Key", { exact: true }).fill(fields.key);
    if ("model" in fields) await page.getByLabel("Model", { exact: true }).fill(fields.model);
    if ("address" in fields) await page.getByLabel("Address").fill(fields.address);
    await page.getByRole("button", { name: "Test and use" }).click();
    await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
  });
}

test("the key is nowhere but in the request", async ({ page }) => {
  await openApp(page, { firstRun: true });
  await page.getByLabel("Key", { exact: true }).fill("sk-or-secret-4711");
  await page.getByRole("button", { name: "Test and use" }).click();
  await expect(page.getByRole("heading", { name: "Ready. Ask something." })).toBeVisible();
  await page.getByRole("button", { name: "Write my own" }).click();
  await expect(composer(page)).toBeVisible();
  const traces = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify(localStorage));
  expect(traces).not.toContain("4711");
});

test("“Not now” leads to a usable app that leads back", async ({ page }) => {
  await openApp(page, { firstRun: true });
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(composer(page)).toBeVisible();
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await page.getByRole("button", { name: "Set up a model" }).click();
  await expect(page.getByRole("button", { name: "Test and use" })).toBeVisible();
});
