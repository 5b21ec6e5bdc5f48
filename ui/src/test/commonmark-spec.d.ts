/** The examples of the CommonMark specification. The package has no types of its own. */
declare module "commonmark-spec" {
  export const tests: readonly { markdown: string; html: string; section: string; number: number }[];
}
