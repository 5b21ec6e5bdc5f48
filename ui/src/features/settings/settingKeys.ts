/** The key of the configuration behind each field that can be changed here. */
export const settingKeys = {
  assistantName: "assistant.name",
  userName: "assistant.user_name",
  theme: "ui.theme",
  sendWithEnter: "ui.send_with_enter",
  mode: "conversation.default_mode",
  approvals: "security.approvals",
  think: "conversation.think",
  spendingPerTurn: "spending.per_turn",
  spendingPerDay: "spending.per_day",
  spendingPerMonth: "spending.per_month",
} as const;
