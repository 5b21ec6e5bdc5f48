const storageKey = "namma.welcomed";

/** Whether the person has been through the welcome page, or said "not now". */
export function wasWelcomed(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

export function noteWelcomed(): void {
  try {
    localStorage.setItem(storageKey, "yes");
  } catch {
    // No storage: the page greets again next time.
  }
}
