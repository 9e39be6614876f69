/** The countries of the world in outline, from Natural Earth, which is in the public domain. */
import { feature } from 'topojson-client';

export const loadOutlines = async () => {
  const { default: atlas } = await import('world-atlas/countries-110m.json');
  const topology = atlas as unknown as Parameters<typeof feature>[0];
  const { countries } = topology.objects;
  if (!countries) throw new Error('The outlines are not there');
  return feature(topology, countries);
};
