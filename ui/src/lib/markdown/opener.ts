import { createContext, useContext } from "react";

/** Opens an address outside of the app. Given by whoever shows Markdown. */
export type OpenLink = (url: string) => void;

const OpenLinkContext = createContext<OpenLink>(() => {});

export const OpenLinkProvider = OpenLinkContext.Provider;

export function useOpenLink(): OpenLink {
  return useContext(OpenLinkContext);
}
