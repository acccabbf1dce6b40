#include "view/view_server.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

static const double patience = 10.0; // s without a byte from a client that should send something

static bool never_wait(int socket)
{
    return fcntl(socket, F_SETFL, O_NONBLOCK) == 0 && fcntl(socket, F_SETFD, FD_CLOEXEC) == 0;
}

static int listen_on(const struct addrinfo *place)
{
    const int one = 1, fd = socket(place->ai_family, place->ai_socktype, place->ai_protocol);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (never_wait(fd) && bind(fd, place->ai_addr, place->ai_addrlen) == 0 && listen(fd, 16) == 0)
        return fd;
    const int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static int port_of(int fd)
{
    struct sockaddr_storage place;
    socklen_t size = sizeof place;
    char port[16];
    if (getsockname(fd, (struct sockaddr *)&place, &size) != 0 ||
        getnameinfo((struct sockaddr *)&place, size, NULL, 0, port, sizeof port, NI_NUMERICSERV))
        return 0;
    return atoi(port);
}

bool server_open(Server *server, const char *address, int port)
{
    const struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *places = NULL;
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    for (int i = 0; i < VIEWERS; ++i) server->viewers[i].socket = -1;
    server->socket = -1;
    const int unknown = getaddrinfo(address, service, &wish, &places);
    if (unknown != 0) {
        terminal_error("cannot listen on %s: %s", address, gai_strerror(unknown));
        return false;
    }
    for (const struct addrinfo *p = places; p != NULL && server->socket < 0; p = p->ai_next)
        server->socket = listen_on(p);
    if (server->socket < 0)
        terminal_error("cannot listen on %s, port %d: %s", address, port, strerror(errno));
    freeaddrinfo(places);
    server->port = server->socket >= 0 ? port_of(server->socket) : 0;
    return server->socket >= 0;
}

static void viewer_close(Viewer *viewer)
{
    if (viewer->socket < 0) return;
    close(viewer->socket);
    free(viewer->in);
    free(viewer->out);
    *viewer = (Viewer){.socket = -1};
}

void server_close(Server *server)
{
    for (int i = 0; i < VIEWERS; ++i) viewer_close(&server->viewers[i]);
    if (server->socket >= 0) close(server->socket);
    server->socket = -1;
}

// A free place, or that of the stranger who has been silent longest; NULL if all are known.
static Viewer *place_for_one(Server *server)
{
    Viewer *oldest = NULL;
    for (int i = 0; i < VIEWERS; ++i) {
        Viewer *viewer = &server->viewers[i];
        if (viewer->socket < 0) return viewer;
        if (!viewer->trusted && (oldest == NULL || viewer->heard < oldest->heard)) oldest = viewer;
    }
    if (oldest != NULL) viewer_close(oldest);
    return oldest;
}

static void welcome(Server *server, double now)
{
    for (int most = 16; most > 0; --most) {
        const int fd = accept(server->socket, NULL, NULL);
        if (fd < 0) return;
        Viewer *viewer = never_wait(fd) ? place_for_one(server) : NULL;
        if (viewer == NULL)
            close(fd);
        else
            *viewer = (Viewer){.socket = fd, .in = take(REQUEST_MOST + 1, 1), .heard = now};
    }
}

size_t viewer_pending(const Viewer *viewer) { return viewer->out_length - viewer->out_sent; }

void viewer_send(Viewer *viewer, const void *bytes, size_t length)
{
    const size_t pending = viewer_pending(viewer);
    if (viewer->out_sent > 0) memmove(viewer->out, viewer->out + viewer->out_sent, pending);
    viewer->out_sent = 0;
    viewer->out_length = pending;
    if (pending + length > viewer->out_capacity) {
        viewer->out_capacity = 2 * (pending + length);
        char *more = take(viewer->out_capacity, 1);
        if (pending > 0) memcpy(more, viewer->out, pending);
        free(viewer->out);
        viewer->out = more;
    }
    memcpy(viewer->out + pending, bytes, length);
    viewer->out_length += length;
}

static void flush(Viewer *viewer, double now)
{
    while (viewer_pending(viewer) > 0) {
        const ssize_t sent = send(viewer->socket, viewer->out + viewer->out_sent,
                                  viewer_pending(viewer), MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
        if (sent <= 0) {
            viewer_close(viewer);
            return;
        }
        viewer->out_sent += (size_t)sent;
        viewer->heard = now;
    }
    // Not closed yet: what the other side still sends would take the answer away from it.
    if (viewer->ending) shutdown(viewer->socket, SHUT_WR);
}

// What comes after a request is not read by anybody.
static void drain(Viewer *viewer)
{
    char rest[1024];
    const ssize_t got = recv(viewer->socket, rest, sizeof rest, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        viewer_close(viewer);
}

static void hear(Server *server, Viewer *viewer, double now)
{
    if (viewer->streaming || viewer->ending) {
        drain(viewer);
        return;
    }
    const ssize_t got =
        recv(viewer->socket, viewer->in + viewer->in_length, REQUEST_MOST - viewer->in_length, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (got <= 0) {
        viewer_close(viewer);
        return;
    }
    Request request = {0};
    viewer->in_length += (size_t)got;
    viewer->heard = now;
    RequestState state = request_read(viewer->in, viewer->in_length, &request);
    if (state == REQUEST_INCOMPLETE && viewer->in_length < REQUEST_MOST) return;
    if (state == REQUEST_INCOMPLETE) state = REQUEST_TOO_LARGE;
    server->answer(server->context, viewer, state, &request);
}

// A stream that has nothing to say is no reason to go.
static bool is_lost(const Viewer *viewer, double now)
{
    const bool silent = viewer->streaming && viewer_pending(viewer) == 0;
    return !silent && now - viewer->heard > patience;
}

void server_serve(Server *server, double seconds, double now)
{
    struct pollfd wanted[VIEWERS + 1];
    wanted[VIEWERS] = (struct pollfd){.fd = server->socket, .events = POLLIN};
    for (int i = 0; i < VIEWERS; ++i) {
        const Viewer *viewer = &server->viewers[i];
        const bool more = viewer->socket >= 0 && viewer_pending(viewer) > 0;
        wanted[i] = (struct pollfd){.fd = viewer->socket,
                                    .events = (short)(more ? POLLIN | POLLOUT : POLLIN)};
    }
    if (poll(wanted, VIEWERS + 1, (int)(1e3 * seconds + 0.999)) < 0) return;
    for (int i = 0; i < VIEWERS; ++i) {
        Viewer *viewer = &server->viewers[i];
        if (viewer->socket < 0) continue;
        if (wanted[i].revents & (POLLIN | POLLERR | POLLHUP)) hear(server, viewer, now);
        if (viewer->socket >= 0 && viewer_pending(viewer) > 0) flush(viewer, now);
        if (viewer->socket >= 0 && is_lost(viewer, now)) viewer_close(viewer);
    }
    if (wanted[VIEWERS].revents & POLLIN) welcome(server, now);
}
