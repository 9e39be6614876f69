/** When the votes of a poll were published last, by whichever server: all together keep to the shortest time between two. */
export const pollsPublishedAt = {
  name: '057-polls-published-at',
  sql: 'alter table polls add column published_at timestamptz(3);',
};

/** When a position was published last. It stands in no index, as all that changes with every step. */
export const locationsPublishedAt = {
  name: '057b-locations-published-at',
  sql: 'alter table shared_locations add column published_at timestamptz(3);',
};
