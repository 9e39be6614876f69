/** The six quick emojis. */
export const quickEmojis = ['👍', '❤️', '😂', '🎉', '😮', '😢'] as const;

const emojiOfWord = new Map([
  ['like', '👍'],
  ['love', '❤️'],
  ['haha', '😂'],
  ['wow', '😮'],
  ['sad', '😢'],
  ['angry', '😠'],
]);

/** The emoji that a reaction shows: programs also react with one of six words. */
export const emojiOfReaction = (type: string): string => emojiOfWord.get(type) ?? type;
