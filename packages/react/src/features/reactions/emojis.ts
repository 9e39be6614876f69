/** The six that are one press away. */
export const quickEmojis = ['👍', '❤️', '😂', '🎉', '😮', '😢'] as const;
