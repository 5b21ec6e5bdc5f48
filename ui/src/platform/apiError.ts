import type { ApiError, ErrorCode } from "@/protocol/bindings";

/** An error in the form in which the core reports its own. */
export function apiError(code: ErrorCode, message: string, more: Partial<ApiError> = {}): ApiError {
  return { code, message, hint: null, retryAfterMs: null, ...more };
}

/** A fault of ours, told in the same form. */
export function internalError(attempt: string, cause: unknown): ApiError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return apiError("internal", `${attempt}: ${detail}`);
}

/** Whatever was thrown, as `ApiError`. */
export function toApiError(thrown: unknown): ApiError {
  return isApiError(thrown) ? thrown : internalError("finish that", thrown);
}

function isApiError(thrown: unknown): thrown is ApiError {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && "message" in thrown;
}
