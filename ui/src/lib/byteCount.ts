const GIGABYTE = 1e9;
const MEGABYTE = 1e6;

/** "2.5 GB", "13 MB": as `namma model list` tells it. */
export function byteCount(bytes: number): string {
  if (bytes >= GIGABYTE) return `${(bytes / GIGABYTE).toFixed(1)} GB`;
  return `${Math.ceil(bytes / MEGABYTE)} MB`;
}
