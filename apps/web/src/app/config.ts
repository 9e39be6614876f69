/** Where maps get their pictures; without them they are drawn. */
type MapTiles = { url: string; attribution?: string };

export type AppConfig = {
  apiKey: string;
  demo: boolean;
  mapTiles?: MapTiles;
  /** Where the product signs people in. */
  signInUrl?: string;
};

type AppConfigReply = { api_key: string; demo: boolean; map_tiles?: MapTiles; sign_in_url?: string };

/** The server writes it into the page; a development page has to ask. */
export const loadConfig = async (page: Document, fetcher: typeof fetch): Promise<AppConfig> => {
  const written = page.getElementById('parley-config')?.textContent;
  if (written) return JSON.parse(written);
  const reply = await fetcher('/api/app-config');
  if (!reply.ok) throw new Error('The server did not say which app this is');
  const { api_key, demo, map_tiles, sign_in_url }: AppConfigReply = await reply.json();
  return {
    apiKey: api_key,
    demo,
    ...(map_tiles && { mapTiles: map_tiles }),
    ...(sign_in_url && { signInUrl: sign_in_url }),
  };
};
