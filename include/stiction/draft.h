// Drafts: files under a preliminary name. What has its final name is complete.
#ifndef STICTION_DRAFT_H
#define STICTION_DRAFT_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

// A new, empty file PATH.partial that no other process writes: PATH.2.partial, ... where another living
// program has it, or something that is no file of ours (a link). What a dead one left is replaced.
// NULL with a reason in errno.
typedef struct StiDraft StiDraft;
// Opens one for the file that is to be at this path.
STI_API StiDraft *sti_draft_open(const char *path);
// The draft PATH.partial that a program left when it ended early, as it is, to go on with it. NULL with a reason in
// errno: ENOENT if there is no draft, EBUSY while its writer still runs.
STI_API StiDraft *sti_draft_reopen(const char *path);
STI_API const char *sti_draft_name(const StiDraft *draft); // to open it by

typedef enum StiDraftEnd {
    STI_DRAFT_COMPLETE, // synced, then renamed: replaces an earlier file
    STI_DRAFT_KEPT,     // stays under its preliminary name
    STI_DRAFT_REMOVED
} StiDraftEnd;
// Releases the draft in any case. STI_FILE_ERROR with a reason in errno.
STI_API StiStatus sti_draft_close(StiDraft *draft, StiDraftEnd end);

#ifdef __cplusplus
}
#endif
#endif
