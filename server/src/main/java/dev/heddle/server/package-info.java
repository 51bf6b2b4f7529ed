/**
 * A pool over HTTP: {@link dev.heddle.server.HeddleServer}. {@code Routes} is the list of everything that can be asked;
 * the OpenAPI document is made from it. {@code Guard} decides who may ask, {@code EventLog} keeps what happened lately.
 */
@NullMarked
package dev.heddle.server;

import org.jspecify.annotations.NullMarked;
