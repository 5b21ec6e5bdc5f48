import type {
  AddAttachment,
  AppEvent,
  AttachedFile,
  Attachment,
  Check,
  ChooseModel,
  ConfigureProvider,
  ConnectionTest,
  ConnectionView,
  Draft,
  EventsSince,
  FileId,
  FoundProvider,
  InstallLocalModel,
  InstallProgress,
  LocalKeeper,
  LocalModel,
  LocalModels,
  ModelList,
  OpenSession,
  ProviderStatus,
  QueuedId,
  RemovedLocalModel,
  ResolveApproval,
  SearchHit,
  SendMessage,
  SendReceipt,
  SessionId,
  SessionSummary,
  SessionView,
  SetSetting,
  SettingsView,
  StartState,
  UsageOfDay,
} from "@/protocol/bindings";

/** Whether the core answers. */
export type Connection = "connected" | "restarting";

export type Unsubscribe = () => void;

/**
 * What the interface asks of its host. Every command rejects with `ApiError`.
 *
 * Components never call a command of Tauri themselves: tests give another platform.
 */
export interface Platform {
  /** Asked before anything else: whether the core is there at all. */
  readonly startState: () => Promise<StartState>;
  /** Tries to start the core once more. */
  readonly startAgain: () => Promise<StartState>;
  /** Ends the program; running turns are stopped in order. */
  readonly quit: () => Promise<void>;
  readonly sessionList: () => Promise<SessionSummary[]>;
  readonly sessionOpen: (request: OpenSession) => Promise<SessionView>;
  readonly sessionRename: (sessionId: SessionId, title: string) => Promise<void>;
  readonly sessionDelete: (sessionId: SessionId) => Promise<void>;
  readonly sessionRestore: (sessionId: SessionId) => Promise<void>;
  /** Sets a chat to a model and a level of thinking; `null` is as the settings say. */
  readonly sessionChoose: (request: ChooseModel) => Promise<void>;
  readonly sessionSearch: (query: string, limit: number) => Promise<SearchHit[]>;
  readonly turnSend: (request: SendMessage) => Promise<SendReceipt>;
  readonly turnCancel: (sessionId: SessionId) => Promise<void>;
  readonly turnRetry: (sessionId: SessionId) => Promise<SendReceipt>;
  readonly turnEventsSince: (sessionId: SessionId, seq: number) => Promise<EventsSince>;
  readonly queueRemove: (sessionId: SessionId, queuedId: QueuedId) => Promise<void>;
  readonly queueSendNow: (sessionId: SessionId, queuedId: QueuedId) => Promise<void>;
  readonly approvalResolve: (request: ResolveApproval) => Promise<void>;
  readonly draftSave: (sessionId: SessionId | null, draft: Draft) => Promise<void>;
  readonly draftGet: (sessionId: SessionId | null) => Promise<Draft>;
  /** Keeps a file; what it gives back goes into messages and drafts. */
  readonly attachmentAdd: (request: AddAttachment) => Promise<Attachment>;
  readonly attachmentGet: (fileId: FileId) => Promise<AttachedFile>;
  readonly providerStatus: () => Promise<ProviderStatus>;
  readonly providerDiscover: () => Promise<FoundProvider[]>;
  readonly providerConfigure: (request: ConfigureProvider) => Promise<ProviderStatus>;
  /** In their order: the first one answers. */
  readonly connectionsList: () => Promise<ConnectionView[]>;
  readonly connectionsOrder: (names: string[]) => Promise<void>;
  readonly connectionFallback: (name: string, fallback: boolean) => Promise<void>;
  /** Cannot be undone: its key leaves the vault. */
  readonly connectionRemove: (name: string) => Promise<void>;
  /** Resolves with the verdict also when it is a bad one. */
  readonly connectionTest: (name: string) => Promise<ConnectionTest>;
  readonly connectionModels: (name: string) => Promise<ModelList>;
  /** Asks the model servers on this computer what they have. */
  readonly localModels: () => Promise<LocalModels>;
  /** Resolves when the model is here and was tried; a page that is gone stops nothing. */
  readonly localInstall: (
    request: InstallLocalModel,
    onProgress: (progress: InstallProgress) => void,
  ) => Promise<LocalModel>;
  /** The installation then rejects. What has arrived is kept. */
  readonly localInstallStop: (model: string) => Promise<void>;
  /** Cannot be undone, but for a file that the person brought: that stays. */
  readonly localRemove: (name: string, keeper: LocalKeeper | null) => Promise<RemovedLocalModel>;
  /** Makes that model the one that answers. */
  readonly localUse: (model: LocalModel) => Promise<void>;
  readonly usageByDay: (days: number) => Promise<UsageOfDay[]>;
  readonly settingsGet: () => Promise<SettingsView>;
  readonly settingsSet: (request: SetSetting) => Promise<void>;
  readonly statusChecks: () => Promise<Check[]>;
  readonly linkOpen: (url: string) => Promise<void>;

  /** Batches of events in order, from now on. Resolves once nothing can be missed any more. */
  readonly subscribe: (onBatch: (batch: readonly AppEvent[]) => void) => Promise<Unsubscribe>;
  /** Called at once with the present state, then at each change. */
  readonly onConnection: (listener: (connection: Connection) => void) => Unsubscribe;
}
