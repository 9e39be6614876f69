export const reactions = { name: 'reactions' };
