/** The six that are one press away. */
export const quickEmojis = ['👍', '❤️', '😂', '🎉', '😮', '😢'] as const;

/** Sixty that cover most of what people say; drawn by the system, so nothing is loaded. */
export const commonEmojis = [
  ...['😀', '😄', '😅', '🤣', '😊', '🙂', '😉', '😍', '🥰', '😘'],
  ...['😋', '😎', '🤩', '🥳', '🤔', '🫡', '🤗', '🫠', '🙃', '😴'],
  ...['😬', '🙄', '😭', '😤', '😡', '🤯', '😱', '🥺', '😇', '🤝'],
  ...['👍', '👎', '👏', '🙌', '🙏', '💪', '👌', '✌️', '👋', '🫶'],
  ...['❤️', '🧡', '💚', '💙', '💔', '🔥', '✨', '⭐', '💯', '🎉'],
  ...['✅', '❌', '👀', '💡', '🚀', '☕', '🍕', '🎂', '🌈', '🐛'],
] as const;
