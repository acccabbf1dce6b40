// A lock on the open file tells a living writer's draft from what a dead one left. It goes with the open
// file, so it excludes other drafts of the same process, too, and does not meet the locks of HDF5.
#define _GNU_SOURCE // F_OFD_SETLK
#include "stiction/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct StiDraft {
    int file; // keeps the lock
    char *path, *name;
};

enum { MOST_DRAFTS = 1000, MOST_TRIALS = 10, NUMBER_LENGTH = 16 };

static bool lock(int file)
{
#ifdef F_OFD_SETLK
    struct flock whole;
    memset(&whole, 0, sizeof whole);
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(file, F_OFD_SETLK, &whole) == 0) return true;
    return errno != EAGAIN && errno != EACCES; // the file system knows no locks
#else
    (void)file;
    return true;
#endif
}

static bool is_at(int file, const char *name)
{
    struct stat here, there;
    return fstat(file, &here) == 0 && lstat(name, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

// Whether it was one, and is gone now.
static bool remove_left_over(const char *name)
{
    const int file = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    bool removed = false;
    if (file < 0) return errno == ENOENT;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && lock(file) && is_at(file, name))
        removed = unlink(name) == 0;
    close(file);
    return removed;
}

// -1: the name is taken (EEXIST), or cannot be had at all.
static int create(const char *name)
{
    for (int i = 0; i < MOST_TRIALS; ++i) {
        const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 && lock(file) && is_at(file, name)) return file;
        if (file >= 0) close(file); // somebody took it for a left-over at once
        if (file < 0 && errno != EEXIST) return -1;
        if (file < 0 && !remove_left_over(name)) break;
    }
    errno = EEXIST;
    return -1;
}

static void release(StiDraft *draft)
{
    const int reason = errno;
    if (draft->file >= 0) close(draft->file);
    free(draft->path);
    free(draft->name);
    free(draft);
    errno = reason;
}

// Named PATH.partial, not opened yet.
static StiDraft *begin(const char *path, size_t *size)
{
    const size_t length = strlen(path) + 1;
    StiDraft *draft = calloc(1, sizeof *draft);
    if (draft == NULL) return NULL;
    *size = length + NUMBER_LENGTH + sizeof ".partial";
    *draft = (StiDraft){.file = -1, .path = malloc(length), .name = malloc(*size)};
    if (draft->path == NULL || draft->name == NULL) {
        errno = ENOMEM;
        release(draft);
        return NULL;
    }
    memcpy(draft->path, path, length);
    snprintf(draft->name, *size, "%s.partial", path);
    return draft;
}

StiDraft *sti_draft_reopen(const char *path)
{
    size_t size;
    struct stat about;
    StiDraft *draft = begin(path, &size);
    if (draft == NULL) return NULL;
    draft->file = open(draft->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (draft->file >= 0) {
        if (fstat(draft->file, &about) == 0 && S_ISREG(about.st_mode) && lock(draft->file) &&
            is_at(draft->file, draft->name))
            return draft;
        errno = EBUSY;
    }
    release(draft);
    return NULL;
}

StiDraft *sti_draft_open(const char *path)
{
    size_t size;
    StiDraft *draft = begin(path, &size);
    if (draft == NULL) return NULL;
    for (int i = 1; i <= MOST_DRAFTS; ++i) {
        if (i > 1) snprintf(draft->name, size, "%s.%d.partial", path, i);
        draft->file = create(draft->name);
        if (draft->file >= 0) return draft;
        if (errno != EEXIST) break;
    }
    release(draft);
    return NULL;
}

const char *sti_draft_name(const StiDraft *draft) { return draft->name; }

// The name is to survive a crash of the machine, too; not every file system can sync a folder.
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? NULL : malloc((size_t)(slash - path) + 2);
    if (slash != NULL && folder == NULL) return;
    if (folder != NULL) {
        memcpy(folder, path, (size_t)(slash - path) + 1);
        folder[slash - path + 1] = '\0';
    }
    const int file = open(folder != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

// Syncing the descriptor syncs what was written by the name.
static bool finish(const StiDraft *draft)
{
    if (!is_at(draft->file, draft->name)) {
        errno = ENOENT;
        return false;
    }
    if (fsync(draft->file) != 0 && errno != EINVAL && errno != ENOSYS) return false;
    if (rename(draft->name, draft->path) != 0) return false;
    sync_folder(draft->path);
    return true;
}

StiStatus sti_draft_close(StiDraft *draft, StiDraftEnd end)
{
    bool good = true;
    if (end == STI_DRAFT_COMPLETE) good = finish(draft);
    if (end == STI_DRAFT_REMOVED && is_at(draft->file, draft->name)) unlink(draft->name);
    release(draft);
    return good ? STI_OK : STI_FILE_ERROR;
}
