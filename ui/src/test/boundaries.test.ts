import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { type SourceFile, sourceFiles } from "./files";

type Import = { readonly from: string; readonly to: string };

const files = sourceFiles(".ts", ".tsx").filter(
  ({ path }) => !/\.test\.tsx?$/.test(path) && !path.startsWith("test/"),
);

function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g);
  return [...found].map(([, target = ""]) => ({ from: path, to: resolve(path, target) }));
}

function resolve(path: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  return target.startsWith(".") ? posix.join(posix.dirname(path), target) : target;
}

const imports = files.flatMap(importsOf);

/** The places that a folder may import from; packages are free. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  protocol: ["protocol"],
  lib: ["lib", "protocol", "components"],
  platform: ["platform", "protocol"],
  components: ["components", "lib"],
  state: ["state", "platform", "protocol", "lib"],
  features: ["features", "state", "platform", "protocol", "components", "lib"],
};

function isOurs(to: string): boolean {
  return /^(app|components|features|lib|platform|protocol|state|theme)(\/|$)/.test(to);
}

describe("who may know whom", () => {
  it("only the host adapter and the generated contract know Tauri", () => {
    const knowing = imports.filter(({ to }) => to.startsWith("@tauri-apps/")).map(({ from }) => from);
    expect([...new Set(knowing)].sort()).toEqual(["platform/tauri.ts", "protocol/bindings.ts"]);
  });

  it("only the host adapter calls a command", () => {
    const calling = files.filter(({ text }) =>
      /\bcommands\b.*protocol\/bindings|import \{[^}]*\bcommands\b/s.test(text),
    );
    expect(calling.map(({ path }) => path)).toEqual(["platform/tauri.ts"]);
  });

  it("layers look down only", () => {
    const wrong = imports.filter(({ from, to }) => {
      const layer = allowed[from.split("/")[0] ?? ""];
      return layer !== undefined && isOurs(to) && !layer.includes(to.split("/")[0] ?? "");
    });
    expect(wrong).toEqual([]);
  });

  it("a feature is entered by its door", () => {
    const inside = imports.filter(({ from, to }) => {
      const [folder, feature, ...rest] = to.split("/");
      if (folder !== "features" || from.startsWith(`features/${feature}/`)) return false;
      return rest.length > 0 && rest.join("/") !== "index";
    });
    expect(inside).toEqual([]);
  });

  it("nothing but the start imports the frame", () => {
    const users = imports.filter(({ from, to }) => to.startsWith("app/") && !from.startsWith("app/"));
    expect([...new Set(users.map(({ from }) => from))]).toEqual(["main.tsx"]);
  });
});
