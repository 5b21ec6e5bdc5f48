import { dollars } from "@/lib/money";
import { rough } from "@/lib/tokenCount";
import type { ModelFacts } from "@/protocol/bindings";

/** What is known of a model, in words. What is usual is not said. */
export function factsOf({ contextTokens, images, tools, price }: ModelFacts): string[] {
  return [
    contextTokens === null ? null : `reads ${rough(contextTokens)} tokens`,
    images === true ? "sees images" : null,
    tools === false ? "no tools" : null,
    price && `${dollars(price.inputMicros)} in, ${dollars(price.outputMicros)} out per million tokens`,
  ].filter((fact) => fact !== null);
}
