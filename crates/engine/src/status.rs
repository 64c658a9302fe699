//! The statuses of a deployment, and which may follow which: `specs/cloudformation/StackLifecycle.tla`, as a function.

/// The status of a deployment. The names are those of CloudFormation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// There is no such deployment.
    Absent,
    /// The planned changes await a person's decision.
    ReviewInProgress,
    /// It is being created.
    CreateInProgress,
    /// It is there.
    CreateComplete,
    /// Its creation failed and kept what it had done.
    CreateFailed,
    /// Its creation is being undone.
    RollbackInProgress,
    /// Its creation was undone.
    RollbackComplete,
    /// Its creation could not be undone.
    RollbackFailed,
    /// It is being deleted.
    DeleteInProgress,
    /// It is gone.
    DeleteComplete,
    /// It could not be deleted.
    DeleteFailed,
    /// It is being updated.
    UpdateInProgress,
    /// It was updated, and what was replaced is being deleted.
    UpdateCompleteCleanupInProgress,
    /// It was updated.
    UpdateComplete,
    /// Its update failed and kept what it had done.
    UpdateFailed,
    /// Its update is being undone.
    UpdateRollbackInProgress,
    /// Its update was undone, and what the update had made is being deleted.
    UpdateRollbackCompleteCleanupInProgress,
    /// Its update was undone.
    UpdateRollbackComplete,
    /// Its update could not be undone.
    UpdateRollbackFailed,
    /// Existing resources are being imported.
    ImportInProgress,
    /// Existing resources were imported.
    ImportComplete,
    /// An import is being undone.
    ImportRollbackInProgress,
    /// An import was undone.
    ImportRollbackComplete,
    /// An import could not be undone.
    ImportRollbackFailed,
}

/// An event of a deployment as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A preview is requested of what would be done.
    Review,
    /// Its creation begins.
    Create,
    /// An update begins.
    Update,
    /// An import begins.
    Import,
    /// Its deletion begins.
    Delete,
    /// The rollback of an operation is requested that failed and was kept, or the rest of its rollback.
    RollBack,
    /// The rollback of the running operation is requested.
    Cancel,
    /// The operation is done, and deletes what it no longer needs.
    CleanUp,
    /// The operation is done.
    Complete,
    /// The operation failed, and keeps what it has done.
    Fail,
    /// The operation failed, and is undone.
    Undo,
    /// A creation failed, and all of it is deleted.
    Discard,
}

use Status::{
    Absent, CreateComplete, CreateFailed, CreateInProgress, DeleteComplete, DeleteFailed, DeleteInProgress,
    ImportComplete, ImportInProgress, ImportRollbackComplete, ImportRollbackFailed, ImportRollbackInProgress,
    ReviewInProgress, RollbackComplete, RollbackFailed, RollbackInProgress, UpdateComplete,
    UpdateCompleteCleanupInProgress, UpdateFailed, UpdateInProgress, UpdateRollbackComplete,
    UpdateRollbackCompleteCleanupInProgress, UpdateRollbackFailed, UpdateRollbackInProgress,
};

impl Status {
    /// All of them, the absence of a deployment first.
    pub const ALL: [Status; 24] = [
        Absent,
        ReviewInProgress,
        CreateInProgress,
        CreateComplete,
        CreateFailed,
        RollbackInProgress,
        RollbackComplete,
        RollbackFailed,
        DeleteInProgress,
        DeleteComplete,
        DeleteFailed,
        UpdateInProgress,
        UpdateCompleteCleanupInProgress,
        UpdateComplete,
        UpdateFailed,
        UpdateRollbackInProgress,
        UpdateRollbackCompleteCleanupInProgress,
        UpdateRollbackComplete,
        UpdateRollbackFailed,
        ImportInProgress,
        ImportComplete,
        ImportRollbackInProgress,
        ImportRollbackComplete,
        ImportRollbackFailed,
    ];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Absent => "absent",
            ReviewInProgress => "REVIEW_IN_PROGRESS",
            CreateInProgress => "CREATE_IN_PROGRESS",
            CreateComplete => "CREATE_COMPLETE",
            CreateFailed => "CREATE_FAILED",
            RollbackInProgress => "ROLLBACK_IN_PROGRESS",
            RollbackComplete => "ROLLBACK_COMPLETE",
            RollbackFailed => "ROLLBACK_FAILED",
            DeleteInProgress => "DELETE_IN_PROGRESS",
            DeleteComplete => "DELETE_COMPLETE",
            DeleteFailed => "DELETE_FAILED",
            UpdateInProgress => "UPDATE_IN_PROGRESS",
            UpdateCompleteCleanupInProgress => "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
            UpdateComplete => "UPDATE_COMPLETE",
            UpdateFailed => "UPDATE_FAILED",
            UpdateRollbackInProgress => "UPDATE_ROLLBACK_IN_PROGRESS",
            UpdateRollbackCompleteCleanupInProgress => "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
            UpdateRollbackComplete => "UPDATE_ROLLBACK_COMPLETE",
            UpdateRollbackFailed => "UPDATE_ROLLBACK_FAILED",
            ImportInProgress => "IMPORT_IN_PROGRESS",
            ImportComplete => "IMPORT_COMPLETE",
            ImportRollbackInProgress => "IMPORT_ROLLBACK_IN_PROGRESS",
            ImportRollbackComplete => "IMPORT_ROLLBACK_COMPLETE",
            ImportRollbackFailed => "IMPORT_ROLLBACK_FAILED",
        }
    }

    /// The status with a name.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Whether the deployment can be worked with.
    pub const fn is_usable(self) -> bool {
        matches!(
            self,
            CreateComplete
                | UpdateComplete
                | UpdateRollbackComplete
                | ImportComplete
                | ImportRollbackComplete
        )
    }

    /// Whether an operation goes on.
    pub const fn is_working(self) -> bool {
        matches!(
            self,
            CreateInProgress
                | RollbackInProgress
                | DeleteInProgress
                | UpdateInProgress
                | UpdateCompleteCleanupInProgress
                | UpdateRollbackInProgress
                | UpdateRollbackCompleteCleanupInProgress
                | ImportInProgress
                | ImportRollbackInProgress
        )
    }

    /// Whether what is no longer needed is being deleted.
    pub const fn is_cleaning(self) -> bool {
        matches!(self, UpdateCompleteCleanupInProgress | UpdateRollbackCompleteCleanupInProgress)
    }

    /// Whether only a deletion leads on.
    pub const fn is_lost(self) -> bool {
        matches!(self, RollbackComplete | RollbackFailed | DeleteFailed | ImportRollbackFailed)
    }

    /// The status after a move; none if the move is not possible.
    pub const fn after(self, what: Move) -> Option<Status> {
        Some(match (self, what) {
            (Absent, Move::Review) => ReviewInProgress,
            (Absent | ReviewInProgress, Move::Create) => CreateInProgress,
            (ReviewInProgress, Move::Import) => ImportInProgress,
            (status, Move::Import) if status.is_usable() => ImportInProgress,
            (CreateFailed | UpdateFailed, Move::Update) => UpdateInProgress,
            (status, Move::Update) if status.is_usable() => UpdateInProgress,
            (CreateInProgress, Move::Delete | Move::Discard) => DeleteInProgress,
            (Absent | DeleteComplete, Move::Delete) => return None,
            (status, Move::Delete) if !status.is_working() => DeleteInProgress,
            (CreateFailed, Move::RollBack) | (CreateInProgress, Move::Undo) => RollbackInProgress,
            (UpdateFailed | UpdateRollbackFailed, Move::RollBack)
            | (UpdateInProgress, Move::Cancel | Move::Undo) => UpdateRollbackInProgress,
            (CreateInProgress, Move::Complete) => CreateComplete,
            (CreateInProgress, Move::Fail) => CreateFailed,
            (RollbackInProgress, Move::Complete) => RollbackComplete,
            (RollbackInProgress, Move::Fail) => RollbackFailed,
            (DeleteInProgress, Move::Complete) => DeleteComplete,
            (DeleteInProgress, Move::Fail) => DeleteFailed,
            (UpdateInProgress, Move::CleanUp) => UpdateCompleteCleanupInProgress,
            (UpdateInProgress | UpdateCompleteCleanupInProgress, Move::Complete) => UpdateComplete,
            (UpdateInProgress, Move::Fail) => UpdateFailed,
            (UpdateRollbackInProgress, Move::CleanUp) => UpdateRollbackCompleteCleanupInProgress,
            (UpdateRollbackInProgress | UpdateRollbackCompleteCleanupInProgress, Move::Complete) => {
                UpdateRollbackComplete
            }
            (UpdateRollbackInProgress, Move::Fail) => UpdateRollbackFailed,
            (ImportInProgress, Move::Complete) => ImportComplete,
            (ImportInProgress, Move::Undo) => ImportRollbackInProgress,
            (ImportRollbackInProgress, Move::Complete) => ImportRollbackComplete,
            (ImportRollbackInProgress, Move::Fail) => ImportRollbackFailed,
            _ => return None,
        })
    }
}
