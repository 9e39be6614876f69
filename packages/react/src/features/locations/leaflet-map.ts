import './leaflet.css';
import type { Coordinates } from '@parley/client/locations';
import {
  control,
  map as createLeaflet,
  divIcon,
  geoJSON,
  type Map as LeafletMap,
  marker,
  tileLayer,
} from 'leaflet';
import styles from './location-map.module.css';
import type { MapSettings } from './map-settings.tsx';
import { loadOutlines } from './outlines.ts';

export type MapOptions = MapSettings & {
  where: Coordinates;
  /** True for a map that can be moved and zoomed. */
  isOpen: boolean;
  isLive: boolean;
  words: { zoomIn: string; zoomOut: string };
  onTilesFailed: () => void;
};

export type DrawnMap = { move(where: Coordinates): void; remove(): void };

/** The zoom: a street with tiles, a country without. */
const zooms = { tiles: 15, outlines: 4 };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const addTiles = (map: LeafletMap, { tileUrl, attribution, onTilesFailed }: MapOptions): void => {
  if (tileUrl === undefined) return;
  let hasAny = false;
  const layer = tileLayer(tileUrl, {
    maxZoom: 19,
    referrerPolicy: 'no-referrer',
    ...(attribution === undefined ? {} : { attribution: escapeHtml(attribution) }),
  });
  layer.on('tileload', () => {
    hasAny = true;
  });
  layer.on('tileerror', () => {
    if (hasAny || !map.hasLayer(layer)) return;
    layer.remove();
    map.setZoom(zooms.outlines, { animate: false });
    onTilesFailed();
  });
  layer.addTo(map);
};

/** Draws outlines below everything, so that something is shown even without tiles. */
const addOutlines = async (map: LeafletMap, isGone: () => boolean): Promise<void> => {
  const countries = await loadOutlines();
  if (isGone()) return;
  geoJSON(countries, { interactive: false, style: { className: styles.land ?? '', weight: 1 } })
    .addTo(map)
    .bringToBack();
};

/** Draws a map into an element. */
export const drawMap = (element: HTMLElement, options: MapOptions): DrawnMap => {
  const { where, isOpen, isLive, tileUrl } = options;
  let isGone = false;
  const map = createLeaflet(element, {
    center: [where.latitude, where.longitude],
    zoom: tileUrl === undefined ? zooms.outlines : zooms.tiles,
    minZoom: 1,
    maxZoom: tileUrl === undefined ? 8 : 19,
    worldCopyJump: true,
    ...{ zoomControl: false, dragging: isOpen, scrollWheelZoom: isOpen, doubleClickZoom: isOpen },
    ...{ boxZoom: isOpen, keyboard: isOpen, touchZoom: isOpen },
    attributionControl: tileUrl !== undefined && options.attribution !== undefined,
    ...{ zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false },
  });
  map.attributionControl?.setPrefix(false);
  const { zoomIn, zoomOut } = options.words;
  if (isOpen) control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
  addOutlines(map, () => isGone).catch(() => undefined);
  addTiles(map, options);
  const pin = marker([where.latitude, where.longitude], {
    icon: divIcon({
      className: styles.pin ?? '',
      html: `<span${isLive ? ' data-live' : ''}></span>`,
      iconSize: [28, 28],
    }),
    ...{ interactive: false, keyboard: false },
  }).addTo(map);
  return {
    move: ({ latitude, longitude }) => {
      pin.setLatLng([latitude, longitude]);
      map.setView([latitude, longitude], map.getZoom(), { animate: false });
    },
    remove: () => {
      isGone = true;
      map.remove();
    },
  };
};
