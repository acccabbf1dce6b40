// A small server: plain sockets that never wait, bounded memory for each viewer.
#ifndef STICTION_CLI_VIEW_SERVER_H
#define STICTION_CLI_VIEW_SERVER_H

#include "view/view_request.h"

enum { VIEWERS = 32 };

typedef struct Viewer {
    int socket; // -1: no client
    char *in;   // REQUEST_MOST + 1 bytes
    size_t in_length;
    char *out;
    size_t out_length, out_sent, out_capacity;
    double heard;   // s, when bytes last went one way or the other
    bool trusted;   // knew the token
    bool streaming; // gets every frame
    bool behind;    // too slow for that: gets all again from the beginning when it can listen
    bool ending;    // closed as soon as all is sent
} Viewer;

typedef struct Server {
    int socket;
    int port;
    Viewer viewers[VIEWERS];
    void (*answer)(void *context, Viewer *viewer, RequestState state, const Request *request);
    void *context;
} Server;

// False after a message. address: a number or a name; port 0: any that is free.
bool server_open(Server *server, const char *address, int port);
void server_close(Server *server);
// Waits for at most so many seconds, then answers and sends what can be sent without waiting.
void server_serve(Server *server, double seconds, double now);

// Bytes for a viewer: sent as fast as it takes them.
void viewer_send(Viewer *viewer, const void *bytes, size_t length);
size_t viewer_pending(const Viewer *viewer);

#endif
