export const channels = { name: 'channels' };
