import { createContext, type ReactNode, useContext } from 'react';

/** The source of map tiles. Without one, maps are drawn from bundled outlines and nothing is requested. */
export type MapSettings = {
  /** The URL of a tile, for instance `https://tiles.example.org/{z}/{x}/{y}.png`. */
  tileUrl?: string | undefined;
  /** The attribution of the tiles; shown as text. */
  attribution?: string | undefined;
};

const MapContext = createContext<MapSettings>({});

export type MapProviderProps = { settings: MapSettings; children: ReactNode };

/** Gives the maps inside it their tiles and attribution. */
export function MapProvider({ settings, children }: MapProviderProps) {
  return <MapContext value={settings}>{children}</MapContext>;
}

export const useMapSettings = (): MapSettings => useContext(MapContext);
