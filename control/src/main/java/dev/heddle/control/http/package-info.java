/**
 * The HTTP API as a table, from which the client and the server both derive. Start with
 * {@link dev.heddle.control.http.Endpoints}, which lists every {@link dev.heddle.control.http.Endpoint}. Records whose
 * names end with {@code Body} are the bodies of requests that {@link dev.heddle.control.Control} takes as plain values;
 * {@link dev.heddle.control.http.Problem} is the response if something fails.
 */
@NullMarked
package dev.heddle.control.http;

import org.jspecify.annotations.NullMarked;
