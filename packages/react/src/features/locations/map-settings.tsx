import { createContext, type ReactNode, useContext } from 'react';

/** Where the pictures of maps come from. Without any, maps are drawn from bundled outlines and nobody is asked. */
export type MapSettings = {
  /** For instance `https://tiles.example.org/{z}/{x}/{y}.png`. */
  tileUrl?: string | undefined;
  /** Whom to thank for the pictures; shown as text. */
  attribution?: string | undefined;
};

const MapContext = createContext<MapSettings>({});

export type MapProviderProps = { settings: MapSettings; children: ReactNode };

/** Gives the maps inside it their tiles and attribution. */
export function MapProvider({ settings, children }: MapProviderProps) {
  return <MapContext value={settings}>{children}</MapContext>;
}

export const useMapSettings = (): MapSettings => useContext(MapContext);
