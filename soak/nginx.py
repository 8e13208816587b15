"""Runs nginx as a load balancer in front of several instances, with the configuration of deploy/nginx."""

import os
import shutil
import subprocess

from soak.run import ROOT


def find_nginx():
    return shutil.which("nginx") or ("/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else None)


def start_nginx(context, port, instances):
    """Starts nginx with other ports and without TLS."""
    with open(os.path.join(ROOT, "deploy/nginx/mirasa.conf")) as file:
        upstream = file.read()
    for number, instance in enumerate(instances, 8081):
        upstream = upstream.replace(f"127.0.0.1:{number}", f"127.0.0.1:{instance.port}")
    temp_paths = "".join(f"    {name}_temp_path {context.path('nginx', name)};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    os.makedirs(context.path("nginx"), exist_ok=True)
    with open(context.path("nginx.conf"), "w") as file:
        file.write(f"""{'user root;' if os.geteuid() == 0 else ''}
daemon off;
worker_processes 1;
pid {context.path('nginx.pid')};
error_log {context.path('nginx.log')};
events {{ worker_connections 4096; }}
http {{
    access_log off;
{temp_paths}
    {upstream}
    server {{
        listen 127.0.0.1:{port};
        include {ROOT}/deploy/nginx/proxy.conf;
    }}
}}
""")
    return subprocess.Popen([find_nginx(), "-c", context.path("nginx.conf"), "-p", context.folder], stderr=subprocess.DEVNULL)
