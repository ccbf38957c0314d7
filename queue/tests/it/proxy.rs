//! A server's neighbour that loses, repeats and delays what goes through it, frame by frame.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What to do with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Pass,
    Drop,
    Twice,
    Late(Duration),
    /// The connection ends before it.
    Cut,
}

/// Asked about each message: whether it goes to the server, and its first line.
pub type Plan = dyn Fn(bool, &str) -> Fault + Send + Sync;

pub struct Proxy {
    port: u16,
}

impl Proxy {
    /// Its threads end with their connections, and the listening thread with the test.
    pub fn new(server: u16, plan: impl Fn(bool, &str) -> Fault + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let plan: Arc<Plan> = Arc::new(plan);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                // Both ends may be gone at any time.
                if let Ok(there) = TcpStream::connect(("127.0.0.1", server)) {
                    relay(true, &client, &there, &plan);
                    relay(false, &there, &client, &plan);
                }
            }
        });
        Proxy { port }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn relay(to_server: bool, from: &TcpStream, to: &TcpStream, plan: &Arc<Plan>) {
    let (from, to, plan) = (from.try_clone(), to.try_clone(), plan.clone());
    let (Ok(from), Ok(mut to)) = (from, to) else {
        return;
    };
    let _ = (from.set_nodelay(true), to.set_nodelay(true));
    thread::spawn(move || {
        let mut reader = BufReader::new(from);
        while let Ok(Some((head, frame))) = read(&mut reader) {
            let fault = match frame.len() > head.len() {
                // Only messages: without the others there is no connection to speak of.
                true => plan(to_server, head.trim_end()),
                false => Fault::Pass,
            };
            let sent = match fault {
                Fault::Pass => to.write_all(&frame),
                Fault::Drop => Ok(()),
                Fault::Twice => to.write_all(&frame).and_then(|()| to.write_all(&frame)),
                Fault::Late(by) => {
                    thread::sleep(by);
                    to.write_all(&frame)
                }
                Fault::Cut => break,
            };
            if sent.is_err() {
                break;
            }
        }
        let _ = reader.get_ref().shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// A frame: its first line, and all of it.
fn read(from: &mut impl BufRead) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut frame = Vec::new();
    if from.read_until(b'\n', &mut frame)? == 0 {
        return Ok(None);
    }
    let head = String::from_utf8_lossy(&frame).into_owned();
    let mut words = head.split_ascii_whitespace();
    if words
        .next()
        .is_some_and(|word| ["PUB", "HPUB", "MSG", "HMSG"].contains(&word))
    {
        let len: u64 = words.last().and_then(|len| len.parse().ok()).unwrap_or(0);
        from.take(len + 2).read_to_end(&mut frame)?;
    }
    Ok(Some((head, frame)))
}
