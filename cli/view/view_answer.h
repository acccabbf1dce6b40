// A view: one run, its clock, and its clients; their requests and the answers.
#ifndef STICTION_CLI_VIEW_ANSWER_H
#define STICTION_CLI_VIEW_ANSWER_H

#include "view/view_messages.h"
#include "view/view_server.h"
#include "view/view_token.h"

typedef struct View {
    LiveRun run;
    LiveClock clock;
    Server server;
    char token[TOKEN_LENGTH + 1];
    const char *address; // --listen; NULL: the loopback
    Text parts;          // as they were last sent
    bool news;           // something happened that no row shows
} View;

// The server's answer to each request; context is the view.
void view_answer(void *context, Viewer *viewer, RequestState state, const Request *request);
void view_send_changes(View *view); // a frame for every client

#endif
