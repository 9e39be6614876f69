export const commands = { name: 'commands' };
